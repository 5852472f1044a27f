package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * On which side of the truth results lie, and how far from it: by tables of their own whose inputs
 * are exactly the doubles that are passed in.
 */
class RoundingDirectionTest {
  /** What cancels in ε/μ − μ/2 at μ = 10⁴, the worst conditioned row; 1e-10 would be allowed. */
  private static final BigDecimal FAR = new BigDecimal("1e-11");

  @ParameterizedTest
  @CsvFileSource(resources = "epsilon.csv", numLinesToSkip = 1)
  void epsilon_isNeverBelowTheTruthAndEpsilonAtMostNeverAbove(
      double mu, double delta, BigDecimal truth) {
    GaussianDp dp = GaussianDp.of(Mu.of(mu));
    assertIsAbove(dp.epsilon(Delta.of(delta)).value(), truth);
    assertIsBelow(dp.epsilonAtMost(Delta.of(delta)).value(), truth);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "mu.csv", numLinesToSkip = 1)
  void muOfABudget_isNeverAboveTheTruth(double epsilon, double delta, BigDecimal truth) {
    assertIsBelow(GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(delta)).mu().value(), truth);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "delta.csv", numLinesToSkip = 1)
  void logDelta_isBetweenItsBounds(double mu, double epsilon, BigDecimal truth) {
    assertIsAbove(HockeyStick.logDeltaUp(mu, epsilon), truth);
    assertIsBelow(HockeyStick.logDeltaDown(mu, epsilon), truth);
    assertThat(HockeyStick.logDelta(mu, epsilon, 0))
        .isBetween(HockeyStick.logDeltaDown(mu, epsilon), HockeyStick.logDeltaUp(mu, epsilon));
  }

  private static void assertIsAbove(double value, BigDecimal truth) {
    BigDecimal excess = new BigDecimal(value).subtract(truth);
    assertThat(excess).isNotNegative().isLessThanOrEqualTo(truth.abs().multiply(FAR));
  }

  private static void assertIsBelow(double value, BigDecimal truth) {
    BigDecimal shortfall = truth.subtract(new BigDecimal(value));
    assertThat(shortfall).isNotNegative().isLessThanOrEqualTo(truth.abs().multiply(FAR));
  }
}
