/**
 * What attacks have shown: lower bounds on ε with a stated confidence, always rounded down. Never a
 * guarantee; knows no attack, no model and no row, only how often guesses were right.
 */
@NullMarked
package io.mutune.accountant.empirical;

import org.jspecify.annotations.NullMarked;
