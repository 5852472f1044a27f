/**
 * Losses of a linear model: their values, their derivatives by the logits, and the weights of
 * classes.
 */
@NullMarked
package io.mutune.trainer.loss;

import org.jspecify.annotations.NullMarked;
