/**
 * Attacks on what was released, from rows that need no protection: who took part, by models and by
 * noisy gradients. Rows come in as public ones alone; what comes out may be shown.
 */
@NullMarked
package io.mutune.trainer.attack;

import org.jspecify.annotations.NullMarked;
