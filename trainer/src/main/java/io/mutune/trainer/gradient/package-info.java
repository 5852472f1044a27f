/** The clipped sum of exact per-row gradients, and the engines that compute it. */
@NullMarked
package io.mutune.trainer.gradient;

import org.jspecify.annotations.NullMarked;
