/**
 * Computes encoders of texts and pictures with ONNX Runtime: an optional part, which users of
 * numbers lack.
 */
@NullMarked
package io.mutune.trainer.encoder;

import org.jspecify.annotations.NullMarked;
