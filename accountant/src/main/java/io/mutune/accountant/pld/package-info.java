/**
 * Privacy loss distributions: numerical composition of what is not exactly Gaussian, with an
 * interval around every answer.
 *
 * <p>Not yet fit to print a guarantee, and nothing prints one from it: the bounds on the rounding
 * of the transform and of the distribution functions are taken from the literature and not yet
 * checked against the libraries used, and the lower ends are estimates.
 */
@NullMarked
package io.mutune.accountant.pld;

import org.jspecify.annotations.NullMarked;
