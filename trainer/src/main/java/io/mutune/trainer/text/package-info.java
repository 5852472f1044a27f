/**
 * Frozen public networks that turn a text into numbers: which ones there are, and where they lie.
 */
@NullMarked
package io.mutune.trainer.text;

import org.jspecify.annotations.NullMarked;
