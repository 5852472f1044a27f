/** Looking at files before they are used: for their owner, and charged to nobody. */
@NullMarked
package io.mutune.trainer.check;

import org.jspecify.annotations.NullMarked;
