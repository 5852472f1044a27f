package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class PureCurvesTest {
  /** Roundings, and inputs that are no doubles; measured worst 3e-13. */
  private static final double ROOM = 1e-12;

  private static void isJustAbove(double divergence, double truth) {
    assertThat(divergence).isBetween(truth * (1 - 1e-15), truth * (1 + ROOM));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "pure.csv", numLinesToSkip = 1)
  void pureAndLaplace_areTheTablesRoundedUp(
      double epsilon, double order, double pure, double laplace) {
    isJustAbove(PureCurves.pure(epsilon, order), pure);
    isJustAbove(PureCurves.laplace(epsilon, order), laplace);
  }

  /** Where its closed form cancels a bound takes over, which is looser by a part in 1e4. */
  @ParameterizedTest
  @CsvFileSource(resources = "pure.csv", numLinesToSkip = 1)
  void boundedRange_isTheTablesRoundedUp(
      double epsilon, double order, double pure, double laplace, double boundedRange) {
    double bound = PureCurves.boundedRange(epsilon, order);
    assertThat(bound).isBetween(boundedRange * (1 - 1e-15), boundedRange * (1 + 1e-4));
    assertThat(bound).isLessThanOrEqualTo(pure * (1 + ROOM));
    assertThat(laplace).isLessThanOrEqualTo(pure);
  }

  @Property
  void theyGrowWithTheOrderAndWithEpsilonUpToEpsilon(
      @ForAll @DoubleRange(min = -12, max = 6) double logEpsilon,
      @ForAll @DoubleRange(min = -9, max = 9) double logExcess) {
    double epsilon = Math.pow(10, logEpsilon);
    double order = 1 + Math.pow(10, logExcess);
    double lower = 1 + (order - 1) * 0.9;
    double pure = PureCurves.pure(epsilon, order);
    double laplace = PureCurves.laplace(epsilon, order);
    double range = PureCurves.boundedRange(epsilon, order);
    assertThat(pure).isPositive().isLessThanOrEqualTo(epsilon);
    assertThat(laplace).isPositive().isLessThanOrEqualTo(pure * (1 + ROOM));
    assertThat(range).isPositive().isLessThanOrEqualTo(pure * (1 + 1e-4));
    assertThat(PureCurves.pure(epsilon, lower)).isLessThanOrEqualTo(pure * (1 + ROOM));
    assertThat(PureCurves.laplace(epsilon, lower)).isLessThanOrEqualTo(laplace * (1 + ROOM));
    assertThat(PureCurves.pure(epsilon * 0.9, order)).isLessThanOrEqualTo(pure * (1 + ROOM));
    assertThat(PureCurves.laplace(epsilon * 0.9, order)).isLessThanOrEqualTo(laplace * (1 + ROOM));
  }
}
