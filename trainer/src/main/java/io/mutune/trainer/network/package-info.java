/**
 * Frozen public networks that turn a text or a picture into numbers: which ones there are, and
 * where they lie.
 */
@NullMarked
package io.mutune.trainer.network;

import org.jspecify.annotations.NullMarked;
