/**
 * Methods with a budget of their own in place of a noise multiplier: released values decide how it
 * is spent, or all of it goes into one release.
 */
@NullMarked
package io.mutune.trainer.method.budget;

import org.jspecify.annotations.NullMarked;
