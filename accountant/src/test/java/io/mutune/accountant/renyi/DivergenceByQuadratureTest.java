package io.mutune.accountant.renyi;

import static io.mutune.accountant.renyi.SlowDivergence.laplace;
import static io.mutune.accountant.renyi.SlowDivergence.mixture;
import static io.mutune.accountant.renyi.SlowDivergence.normal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every curve against the integral or the sum that defines it, at whole and fractional orders. */
class DivergenceByQuadratureTest {
  /** Simpson's rule on 6000 panels; the curves themselves leave 1e-12. */
  private static final double SLACK = 1e-8;

  private static final double[] ORDERS = {1.01, 1.5, 2, 2.7, 4, 7.3, 16};

  private static RenyiCurve curve(Mechanism mechanism, Adjacency adjacency) {
    return RenyiDp.of(mechanism, adjacency).curve();
  }

  /** Exact: neither below the truth nor above it. */
  private static void isExact(double bound, double truth, Object what) {
    assertThat(bound).as("%s", what).isBetween(truth * (1 - SLACK), truth * (1 + SLACK));
  }

  /** Sound. */
  private static void isAtLeast(double bound, double truth, Object what) {
    assertThat(bound).as("%s", what).isGreaterThanOrEqualTo(truth * (1 - SLACK));
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1, 1", "3, 1, 1", "3, 2, 1", "20, 0.5, 1", "4, 1, 9", "10, 3, 4"})
  void gaussians_areTheirIntegral(double sigma, double sensitivity, long count) {
    Gaussian gaussian = new Gaussian(NoiseMultiplier.of(sigma), sensitivity, count);
    for (double order : ORDERS) {
      double far = 14 * sigma;
      double shift = order * sensitivity;
      double one =
          SlowDivergence.of(
              normal(sensitivity, sigma), normal(0, sigma), order, -far - shift, shift + far);
      for (Adjacency adjacency : Adjacency.values()) {
        isExact(curve(gaussian, adjacency).at(order), count * one, order);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "4, 1, 1", "0.5, 1, 3", "10, 2, 5", "30, 1, 2"})
  void laplaces_areTheirIntegral(double scale, double sensitivity, long count) {
    Laplace mechanism = new Laplace(scale, sensitivity, count);
    for (double order : ORDERS) {
      double one =
          SlowDivergence.of(
              laplace(sensitivity, scale),
              laplace(0, scale),
              order,
              -60 * scale,
              0,
              sensitivity,
              sensitivity + 60 * scale);
      isExact(curve(mechanism, Adjacency.ADD_REMOVE).at(order), count * one, order);
      isExact(curve(mechanism, Adjacency.REPLACE_ONE).at(order), count * one, order);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.3, 1, 3, 12})
  void randomisedResponses_areTheirSumAndTheWorstOfAll(double epsilon) {
    double likely = Math.exp(epsilon) / (1 + Math.exp(epsilon));
    double[] p = {likely, 1 - likely};
    double[] q = {1 - likely, likely};
    for (double order : ORDERS) {
      double one = SlowDivergence.of(p, q, order);
      isExact(
          curve(new RandomizedResponse(Epsilon.of(epsilon), 3), Adjacency.ADD_REMOVE).at(order),
          3 * one,
          order);
      isExact(
          curve(new PureDp(Epsilon.of(epsilon), 1), Adjacency.REPLACE_ONE).at(order), one, order);
      isAtLeast(one, curve(new Laplace(1 / epsilon, 1, 1), Adjacency.ADD_REMOVE).at(order), order);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.6, 0.01",
    "0.8, 0.1",
    "1, 0.004",
    "1.1, 0.5",
    "2, 0.02",
    "4, 0.9",
    "10, 0.1",
    "40, 0.01"
  })
  void sampledGaussians_areTheLargerOfBothIntegrals(double sigma, double rate) {
    SubsampledGaussian sampled = new SubsampledGaussian(NoiseMultiplier.of(2 * sigma), rate, 2, 7);
    for (double order : ORDERS) {
      double one = SlowDivergence.sampledGaussian(sigma, rate, order);
      isExact(curve(sampled, Adjacency.ADD_REMOVE).at(order), 7 * one, order);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.2, 0.1", "1, 0.01", "1, 0.5", "3, 0.05", "3, 0.9", "8, 0.001"})
  void sampledLaplaces_areTheLargerOfBothIntegrals(double epsilon, double rate) {
    SubsampledLaplace sampled = new SubsampledLaplace(3 / epsilon, rate, 3, 5);
    for (double order : ORDERS) {
      double one = SlowDivergence.sampledLaplace(epsilon, rate, order);
      double bound = curve(sampled, Adjacency.ADD_REMOVE).at(order);
      isExact(bound, 5 * one, order);
    }
  }

  /**
   * Replacing a row moves a sampled sum from one side to the other: the pair with the row at +1 and
   * at −1 is one pair of neighbours, below which no bound for all pairs may be.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 0.1", "3, 0.5", "6, 0.2", "1.5, 0.9"})
  void aReplacedRow_costsAtLeastWhatTheOppositePairDoes(double sigma, double rate) {
    SubsampledGaussian sampled = new SubsampledGaussian(NoiseMultiplier.of(sigma), rate, 2, 1);
    DoubleUnaryOperator plus = mixture(rate, normal(0, sigma), normal(1, sigma));
    DoubleUnaryOperator minus = mixture(rate, normal(0, sigma), normal(-1, sigma));
    RenyiCurve replaced = curve(sampled, Adjacency.REPLACE_ONE);
    for (double order : ORDERS) {
      double far = 14 * sigma + 2 * order;
      double truth = SlowDivergence.symmetric(plus, minus, order, -far, 0, far);
      isAtLeast(replaced.at(order), truth, order);
      // The other pair of neighbours that is easy to write: the row replaced adds nothing.
      double removed = SlowDivergence.sampledGaussian(sigma, rate, order);
      isAtLeast(replaced.at(order), removed, order);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.1", "1, 0.5", "3, 0.02"})
  void aReplacedRowUnderLaplace_costsAtLeastWhatTheOppositePairDoes(double epsilon, double rate) {
    // Sensitivity 2 for a row between −1 and 1; the scale makes the whole loss ε.
    double scale = 2 / epsilon;
    RenyiCurve replaced = curve(new SubsampledLaplace(scale, rate, 2, 1), Adjacency.REPLACE_ONE);
    DoubleUnaryOperator plus = mixture(rate, laplace(0, scale), laplace(1, scale));
    DoubleUnaryOperator minus = mixture(rate, laplace(0, scale), laplace(-1, scale));
    for (double order : ORDERS) {
      double far = 60 * scale;
      double truth = SlowDivergence.symmetric(plus, minus, order, -far, -1, 0, 1, far);
      isAtLeast(replaced.at(order), truth, order);
    }
  }

  /** Choices among a few candidates whose scores move by the sensitivity, whichever way. */
  @Property(tries = 200)
  void exponentialMechanisms_stayBelowTheirCurve(
      @ForAll @DoubleRange(min = 0.05, max = 6) double epsilon,
      @ForAll @DoubleRange(min = 1.01, max = 30) double order,
      @ForAll @IntRange(min = 2, max = 6) int candidates,
      @ForAll @IntRange(min = 0, max = 63) int moved,
      @ForAll @DoubleRange(min = -3, max = 3) double spread) {
    double[] p = new double[candidates];
    double[] q = new double[candidates];
    for (int i = 0; i < candidates; i++) {
      double score = spread * i;
      double change = (moved >> i & 1) == 1 ? 1 : -1;
      p[i] = Math.exp(epsilon * score / 2);
      q[i] = Math.exp(epsilon * (score + change) / 2);
    }
    normalise(p);
    normalise(q);
    double truth = SlowDivergence.of(p, q, order);
    double bound =
        curve(new ExponentialMechanism(Epsilon.of(epsilon), 1), Adjacency.ADD_REMOVE).at(order);
    assertThat(bound).isGreaterThanOrEqualTo(truth - 1e-12);
    assertThat(bound)
        .isLessThanOrEqualTo(
            curve(new PureDp(Epsilon.of(epsilon), 1), Adjacency.ADD_REMOVE).at(order) * (1 + 1e-4));
  }

  private static void normalise(double[] weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
  }

  /** The worst choice is between two, one of which is likely just so: found by trying all t. */
  @ParameterizedTest
  @CsvSource({"0.5, 2", "1, 1.5", "1, 8", "3, 2", "3, 20", "6, 4"})
  void theCurveOfBoundedRange_isReachedByTwoOutcomes(double epsilon, double order) {
    double worst = 0;
    for (int i = 1; i < 20_000; i++) {
      // Losses t and t − ε; the probabilities under q follow from both sums being 1.
      double t = epsilon * i / 20_000;
      double likely = -Math.expm1(t - epsilon) / (Math.exp(t) - Math.exp(t - epsilon));
      double[] q = {likely, 1 - likely};
      double[] p = {likely * Math.exp(t), 1 - likely * Math.exp(t)};
      if (p[1] > 0 && q[1] > 0) {
        worst = Math.max(worst, SlowDivergence.of(p, q, order));
      }
    }
    double bound =
        curve(new ExponentialMechanism(Epsilon.of(epsilon), 1), Adjacency.ADD_REMOVE).at(order);
    // The steps in t leave 1e-8; where the closed form cancels, another bound is 1e-4 above.
    assertThat(bound).isBetween(worst * (1 - SLACK), worst * (1 + 1e-4));
  }

  /** The reference itself, where the integral has a closed form. */
  @Test
  void theReference_isGoodToItsOwnTolerance() {
    for (double order : ORDERS) {
      for (double mu : new double[] {0.01, 0.3, 2, 6}) {
        double far = 14 + order * mu;
        double slow = SlowDivergence.of(normal(mu, 1), normal(0, 1), order, -far, far);
        assertThat(slow / (order * mu * mu / 2)).isCloseTo(1, within(SLACK / 10));
      }
    }
  }
}
