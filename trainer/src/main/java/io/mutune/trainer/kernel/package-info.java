/**
 * Arithmetic on rows: logits, residuals and outer products of blocks in float32, and sums that
 * round as if exact. Knows no privacy.
 */
@NullMarked
package io.mutune.trainer.kernel;

import org.jspecify.annotations.NullMarked;
