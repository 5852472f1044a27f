/**
 * Privacy loss distributions: numerical composition of what is not exactly Gaussian, with an
 * interval around every answer.
 */
@NullMarked
package io.mutune.accountant.pld;

import org.jspecify.annotations.NullMarked;
