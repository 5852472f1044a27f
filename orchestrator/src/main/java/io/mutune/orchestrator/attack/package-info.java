/**
 * Whole studies under attack, on rows that are declared public or simulated: canaries, membership,
 * neighbours. What comes out is a lower bound, never a guarantee.
 */
@NullMarked
package io.mutune.orchestrator.attack;

import org.jspecify.annotations.NullMarked;
