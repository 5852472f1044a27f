/**
 * Privacy loss distributions: numerical composition of what is not exactly Gaussian, with an
 * interval around every answer.
 *
 * <p>An upper end is never below the smallest ε of its δ, and a lower end is never above it, under
 * what {@code docs/privacy-loss-distributions.md} proves, measures and lists as assumed; that a
 * Laplace release of more than one coordinate is covered is among what is not proved. Grids, tilts
 * and window sizes are chosen by estimates, on which only the interval's width rests. Where a grid
 * cannot hold what is asked for, a closed form or Chernoff's bound is the upper end, and the lower
 * one may be 0.
 */
@NullMarked
package io.mutune.accountant.pld;

import org.jspecify.annotations.NullMarked;
