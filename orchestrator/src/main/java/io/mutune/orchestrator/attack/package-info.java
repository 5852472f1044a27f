/**
 * Whole studies under attack: canaries, membership, neighbours. What comes out is a lower bound,
 * never a guarantee. Rows are declared public or simulated; of private ones an attacker sees what a
 * charged study releases, and nothing else.
 */
@NullMarked
package io.mutune.orchestrator.attack;

import org.jspecify.annotations.NullMarked;
