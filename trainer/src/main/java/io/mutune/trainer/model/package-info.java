/** The linear model, its file, and what it predicts. */
@NullMarked
package io.mutune.trainer.model;

import org.jspecify.annotations.NullMarked;
