/** How good a released model is, and what asking costs. */
@NullMarked
package io.mutune.trainer.score;

import org.jspecify.annotations.NullMarked;
