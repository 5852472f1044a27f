/**
 * What a training method says of itself before it is charged, and what a run of one is. The methods
 * themselves are in {@code descent} and {@code budget}, and {@code catalogue} has all their names.
 */
@NullMarked
package io.mutune.trainer.method;

import org.jspecify.annotations.NullMarked;
