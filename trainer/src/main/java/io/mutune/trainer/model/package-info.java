/** The linear model, its losses and the clipped sum of its exact per-row gradients. */
@NullMarked
package io.mutune.trainer.model;

import org.jspecify.annotations.NullMarked;
