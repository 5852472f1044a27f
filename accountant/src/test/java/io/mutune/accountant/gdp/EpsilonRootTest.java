package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.PrivateSide.Start;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Newton's way to an ε: as near to the root as the bracketing solver's, and with fewer calls. */
class EpsilonRootTest {
  /** Four times the spacing of doubles, which the root finders promise. */
  private static final double ACCURACY = 0x1p-50;

  /**
   * What the rounding of ln δ itself may move its root by: its terms are below 750 in magnitude for
   * these δ, each good to half a unit in the last place, over a slope of ln δ in ε·ε above 1/10.
   */
  private static final double ROOM = 0x1p-38;

  private static double logDelta(double exponent) {
    return Math.log(Math.pow(10, exponent));
  }

  @Property
  void anEpsilon_isOnItsSideAndNoFurtherThanRoundingFromTheOther(
      @ForAll @DoubleRange(min = -2.9, max = 2) double logMu,
      @ForAll @DoubleRange(min = -300, max = -4) double exponent) {
    double mu = Math.pow(10, logMu);
    double logDelta = logDelta(exponent);
    double above = mu * (Math.sqrt(-2 * logDelta) + mu / 2) * 1.001;
    double up = EpsilonRoot.up(mu, logDelta, above);
    assertThat(HockeyStick.logDeltaUp(mu, up)).isLessThanOrEqualTo(logDelta);
    assertThat(HockeyStick.logDeltaUp(mu, up * (1 - ACCURACY - ROOM))).isGreaterThan(logDelta);
    double down = EpsilonRoot.down(mu, logDelta, above);
    assertThat(HockeyStick.logDeltaDown(mu, down)).isGreaterThanOrEqualTo(logDelta);
    assertThat(HockeyStick.logDeltaDown(mu, down * (1 + ACCURACY + ROOM))).isLessThan(logDelta);
  }

  /** The slope by Newton is the one of the function: by central differences, good to h² of it. */
  @ParameterizedTest
  @CsvSource({"0.01, 0.03", "0.3, 1", "1, 4.4", "1, 0.1", "5, 30", "5, 1", "40, 900", "40, 700"})
  void theSlope_isThatOfLogDelta(double mu, double epsilon) {
    double h = 1e-5 * epsilon;
    double difference =
        (HockeyStick.logDelta(mu, epsilon + h, 0) - HockeyStick.logDelta(mu, epsilon - h, 0))
            / (2 * h);
    assertThat(HockeyStick.slope(mu, epsilon) / difference).isBetween(1 - 1e-6, 1 + 1e-6);
  }

  /** The benchmark's points: on a slow machine the exact function's price is all there is. */
  @ParameterizedTest
  @ValueSource(doubles = {0.017, 0.27, 1, 5})
  void aGoodStart_needsTheExactFunctionTwiceAtMost(double mu) {
    double logDelta = Math.log(1e-5);
    double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(1e-5)).value();
    AtomicInteger calls = new AtomicInteger();
    UnivariateFunction exact =
        e -> {
          calls.incrementAndGet();
          return HockeyStick.logDeltaUp(mu, e) - logDelta;
        };
    UnivariateFunction unasked =
        e -> {
          throw new AssertionError("the slow way was taken");
        };
    // As near as the plain difference of Mills ratios leads.
    Start start = new Start(epsilon * (1 - 1e-13), HockeyStick.slope(mu, epsilon));
    double root = PrivateSide.whereNotAbove(exact, unasked, start, 0, 10 * epsilon);
    assertThat(root).isBetween(epsilon * (1 - 2 * ACCURACY), epsilon * (1 + 2 * ACCURACY));
    assertThat(calls).hasValueLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "3, -1",
    "2.0000001, -1",
    "2, -1",
    "1.9, -1", // on the spot, after a step or two
    "2.5, -1.0001",
    "NaN, -1",
    "2.5, -1e9",
    "2.5, 1",
    "-4, -1",
    "1e300, -0.5" // or not at all
  })
  void whereverItStarts_theRootIsOnItsSide(double at, double slope) {
    Start start = new Start(at, slope);
    double above = PrivateSide.whereNotAbove(x -> 2 - x, x -> 2 - x, start, 0, 10);
    assertThat(above).isBetween(2.0, 2 * (1 + ACCURACY));
    double below = PrivateSide.whereNotBelow(x -> 2 - x, x -> 2 - x, start, 0, 10);
    assertThat(below).isBetween(2 * (1 - ACCURACY), 2.0);
  }

  /** Where μ·φ(μ/2) is a sure lower bound of δ(0; μ) the exact one is spared; nothing changes. */
  @Property
  void anEpsilonOfZero_isStatedWhereAndOnlyWhereTheExactDeltaAllowsIt(
      @ForAll @DoubleRange(min = -12, max = 3) double logMu,
      @ForAll @DoubleRange(min = -3, max = 3) double nearby) {
    double mu = Math.pow(10, logMu);
    double deltaAtZero = GaussianDp.of(Mu.of(mu)).delta(Epsilon.of(0)).value();
    double delta = Math.min(1, deltaAtZero * Math.exp(nearby));
    boolean isZero = HockeyStick.logDeltaUp(mu, 0) <= Math.log(delta);
    double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(delta)).value();
    assertThat(epsilon == 0).isEqualTo(isZero);
  }

  @Test
  void theSmallestMu_goesTheOldWay() {
    double mu = 0x1p-30;
    double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(1e-12)).value();
    assertThat(HockeyStick.logDeltaUp(mu, epsilon)).isLessThanOrEqualTo(Math.log(1e-12));
    assertThat(HockeyStick.logDeltaUp(mu, epsilon * (1 - 1e-9))).isGreaterThan(Math.log(1e-12));
  }
}
