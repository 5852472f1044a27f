/** Gaussian differential privacy: μ, (ε, δ) both ways, composition and calibration. */
@NullMarked
package io.mutune.accountant.gdp;

import org.jspecify.annotations.NullMarked;
