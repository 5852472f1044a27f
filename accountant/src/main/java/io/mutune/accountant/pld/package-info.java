/**
 * Privacy loss distributions: numerical composition of what is not exactly Gaussian, with an
 * interval around every answer.
 *
 * <p>An upper end is never below the smallest ε of its δ, and a lower end is never above it: {@code
 * docs/privacy-loss-distributions.md} proves it from two properties of libraries that are measured,
 * the error of a Fourier transform and that of a normal tail, with a factor of safety on each.
 * Grids, tilts and window sizes are chosen by estimates, on which only the interval's width rests.
 * Where a grid cannot hold what is asked for, a closed form or Chernoff's bound is the upper end,
 * and the lower one may be 0.
 */
@NullMarked
package io.mutune.accountant.pld;

import org.jspecify.annotations.NullMarked;
