package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.renyi.RenyiDp;
import io.mutune.testing.Effort;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Noise, rates, steps and δ that are in no table, against truths that are computed otherwise. Drawn
 * with seeds: nothing fails by chance.
 */
class OffGridTest {
  /** What an upper end may be above the truth, relatively; the oracle's notes allow 2e-4. */
  private static final double CLOSE = 1e-6;

  /** One release by 50 digits; two by sums of doubles over smooth functions. */
  private static final double TWO = 1e-9;

  private static final GaussIntegratorFactory RULES = new GaussIntegratorFactory();

  record Setting(double sigma, double q, long count, double delta, Adjacency adjacency) {
    PldAccountant numbers() {
      double sensitivity = adjacency == Adjacency.ADD_REMOVE ? 1 : 2;
      return PldAccountant.of(
          List.of(new SubsampledGaussian(NoiseMultiplier.of(sigma), q, sensitivity, count)),
          adjacency);
    }

    EpsilonInterval interval() {
      return numbers().interval(Delta.of(delta));
    }
  }

  private static Stream<Setting> draw(int seed, int number, long least, long most) {
    Random random = new Random(seed);
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                new Setting(
                    0.5 * Math.exp(random.nextDouble() * Math.log(40)),
                    Math.exp(random.nextDouble() * Math.log(1e-3)),
                    Math.round(
                        least * Math.exp(random.nextDouble() * Math.log((double) most / least))),
                    Math.pow(10, -2 - 10 * random.nextDouble()),
                    i % 4 == 3 ? Adjacency.REPLACE_ONE : Adjacency.ADD_REMOVE));
  }

  static Stream<Setting> ones() {
    return Effort.oneIn(3, draw(1, 60, 1, 1));
  }

  static Stream<Setting> twos() {
    // The last have most of their mass at the lowest loss, and δ in a loss of twenty.
    return Stream.concat(
        Effort.oneIn(5, draw(2, 80, 2, 2)),
        Stream.of(
            new Setting(0.3, 0.001, 2, 1e-6, Adjacency.ADD_REMOVE),
            new Setting(0.3, 0.01, 2, 1e-9, Adjacency.ADD_REMOVE)));
  }

  static Stream<Setting> many() {
    return Effort.oneIn(5, draw(3, 80, 3, 10_000));
  }

  static Stream<Setting> whole() {
    return draw(4, 40, 1, 10_000).map(s -> new Setting(s.sigma, 1, s.count, s.delta, s.adjacency));
  }

  /** δ of one release by normal tails of 50 digits and the pair's definition. */
  @ParameterizedTest
  @MethodSource("ones")
  void oneRelease_costsWhatItsTailsSay(Setting setting) {
    EpsilonInterval interval = setting.interval();
    BigDecimal delta = new BigDecimal(setting.delta);
    assertThat(one(setting, interval.upper())).isLessThanOrEqualTo(delta);
    if (interval.lower() > 0) {
      assertThat(one(setting, interval.lower())).isGreaterThanOrEqualTo(delta);
    }
    if (interval.upper() > 0) {
      assertThat(one(setting, interval.upper() * (1 - 1e-9) - 1e-14)).isGreaterThan(delta);
    }
  }

  private static BigDecimal one(Setting setting, double epsilon) {
    boolean isReplaced = setting.adjacency == Adjacency.REPLACE_ONE;
    double place = place(setting, epsilon);
    double mu = 1 / setting.sigma;
    BigDecimal q = new BigDecimal(setting.q);
    BigDecimal rest = BigDecimal.ONE.subtract(q);
    BigDecimal same = tail(place);
    BigDecimal p = rest.multiply(same).add(q.multiply(tail(place - mu)));
    BigDecimal other =
        isReplaced ? rest.multiply(same).add(q.multiply(tail(place + mu))) : tail(place);
    // Any event is at most δ; at the best one the place's rounding does not show.
    return p.subtract(Digits.exp(epsilon).multiply(other), MathContext.DECIMAL128);
  }

  private static BigDecimal tail(double z) {
    return z >= 0
        ? Digits.normalTail(z)
        : BigDecimal.ONE.subtract(Digits.normalTail(-z), Digits.FIFTY);
  }

  /** Where the loss is ε, by bisection of the densities' ratio. */
  private static double place(Setting setting, double epsilon) {
    double low = -60;
    double high = 60 + Math.abs(epsilon) * setting.sigma * 2;
    for (int i = 0; i < 80; i++) {
      double middle = (low + high) / 2;
      if (loss(setting, middle) > epsilon) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return (low + high) / 2;
  }

  /** ln of the ratio of densities at x, in units of σ. */
  private static double loss(Setting setting, double x) {
    double mu = 1 / setting.sigma;
    double up = logMixture(setting.q, mu * x - mu * mu / 2);
    return setting.adjacency == Adjacency.ADD_REMOVE
        ? up
        : up - logMixture(setting.q, -mu * x - mu * mu / 2);
  }

  /** ln(1 − q + q·e^v). */
  private static double logMixture(double q, double v) {
    return v > 30 ? v + Math.log(q + (1 - q) * Math.exp(-v)) : Math.log1p(q * Math.expm1(v));
  }

  /** δ of two releases as the mean over the first of what is left for the second. */
  @ParameterizedTest
  @MethodSource("twos")
  void twoReleases_costWhatQuadratureSays(Setting setting) {
    EpsilonInterval interval = setting.interval();
    assertThat(two(setting, interval.upper())).isLessThanOrEqualTo(setting.delta * (1 + TWO));
    if (interval.lower() > 0) {
      assertThat(two(setting, interval.lower())).isGreaterThanOrEqualTo(setting.delta * (1 - TWO));
    }
    assertThat(interval.lower()).isGreaterThanOrEqualTo((1 - 3e-3) * interval.upper() - 1e-5);
    double delta = two(setting, interval.upper());
    assertThat(setting.numbers().deltaAtMost(Epsilon.of(interval.upper())))
        .isBetween(0.98 * delta, delta * (1 + TWO));
    if (interval.upper() > 0) {
      double less = interval.upper() * (1 - CLOSE) - 1e-9;
      assertThat(two(setting, less)).isGreaterThan(setting.delta);
    }
  }

  private static double two(Setting setting, double epsilon) {
    double removed = two(setting, epsilon, 1);
    return setting.adjacency == Adjacency.ADD_REMOVE
        ? Math.max(removed, two(setting, epsilon, -1))
        : removed;
  }

  /** By Gauss and Legendre's rule on panels that narrow to where the second δ falls from 1. */
  private static double two(Setting setting, double epsilon, int side) {
    double mu = 1 / setting.sigma;
    TreeSet<Double> ends = new TreeSet<>();
    for (double x = -14 - mu; x < 14.3 + mu; x += 0.25) {
      ends.add(x);
    }
    double flat = -Math.log1p(-setting.q);
    for (double loss : new double[] {side * epsilon, side * (epsilon + side * flat)}) {
      double turn = place(setting, loss);
      for (double width = 0.2; width > 1e-12; width /= 2) {
        ends.add(turn - width);
        ends.add(turn + width);
      }
    }
    double sum = 0;
    double from = -14 - mu;
    for (double to : ends.subSet(from, false, 14.3 + mu, true)) {
      sum += RULES.legendre(12, from, to).integrate(x -> integrand(setting, epsilon, side, x));
      from = to;
    }
    return sum;
  }

  /** Under P, removing a row has the mixture at x, adding one has the plain noise. */
  private static double integrand(Setting setting, double epsilon, int side, double x) {
    double mu = 1 / setting.sigma;
    double log = -x * x / 2 + (side < 0 ? 0 : logMixture(setting.q, mu * x - mu * mu / 2));
    double left = left(setting, epsilon - side * loss(setting, x), side);
    return Math.exp(log) / Math.sqrt(2 * Math.PI) * left;
  }

  /** δ(ε) of one release for any real ε; adding a row is side −1. */
  private static double left(Setting setting, double epsilon, int side) {
    if (side < 0) {
      return added(setting, epsilon);
    }
    double place = inverse(setting, epsilon);
    if (Double.isNaN(place)) {
      return -Math.expm1(epsilon);
    }
    double mu = 1 / setting.sigma;
    double q = setting.q;
    double p = (1 - q) * above(place) + q * above(place - mu);
    double other =
        setting.adjacency == Adjacency.ADD_REMOVE
            ? above(place)
            : (1 - q) * above(place) + q * above(place + mu);
    return Math.max(0, p - Math.exp(epsilon) * other);
  }

  /** The pair turned around: Q(L < −ε) − e^ε·P(L < −ε). */
  private static double added(Setting setting, double epsilon) {
    double place = inverse(setting, -epsilon);
    if (Double.isNaN(place)) {
      return 0;
    }
    double below = below(place);
    double shifted = below(place - 1 / setting.sigma);
    double p = (1 - setting.q) * below + setting.q * shifted;
    return Math.max(0, below - Math.exp(epsilon) * p);
  }

  /** The place of a loss; not a number below all losses. */
  private static double inverse(Setting setting, double epsilon) {
    if (setting.adjacency == Adjacency.REPLACE_ONE) {
      return place(setting, epsilon);
    }
    double mu = 1 / setting.sigma;
    double lifted = Math.expm1(epsilon) / setting.q;
    if (lifted <= -1) {
      return Double.NaN;
    }
    double inner = lifted < 1e300 ? Math.log1p(lifted) : epsilon - Math.log(setting.q);
    return inner / mu + mu / 2;
  }

  /**
   * Rényi's bound is above, the two ends are close, and n sampled releases cost less than whole.
   */
  @ParameterizedTest
  @MethodSource("many")
  void manyReleases_areHeldTightlyAndBelowRenyisBound(Setting setting) {
    EpsilonInterval interval = setting.interval();
    double upper = interval.upper();
    assertThat(interval.lower()).isLessThanOrEqualTo(upper);
    // Lower ends err by the first power of the spacing, most where rare releases tell a lot.
    assertThat(upper - interval.lower()).isLessThanOrEqualTo(Math.max(3e-3 * upper, 1e-5));
    double sensitivity = setting.adjacency == Adjacency.ADD_REMOVE ? 1 : 2;
    SubsampledGaussian steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(setting.sigma), setting.q, sensitivity, setting.count);
    RenyiDp renyi = RenyiDp.of(steps, setting.adjacency);
    assertThat(upper).isLessThanOrEqualTo(renyi.epsilon(Delta.of(setting.delta)).value());
    Gaussian whole = steps.unsampled();
    double cap =
        GaussianDp.ofGaussian(whole.sigma(), sensitivity, setting.count)
            .epsilon(Delta.of(setting.delta))
            .value();
    assertThat(upper).isLessThanOrEqualTo(cap);
  }

  @ParameterizedTest
  @MethodSource("whole")
  void aRateOfOne_isTheGaussianMechanismsClosedForm(Setting setting) {
    double sensitivity = setting.adjacency == Adjacency.ADD_REMOVE ? 1 : 2;
    GaussianDp gaussian =
        GaussianDp.ofGaussian(NoiseMultiplier.of(setting.sigma), sensitivity, setting.count);
    EpsilonInterval interval = setting.interval();
    Delta delta = Delta.of(setting.delta);
    assertThat(interval.upper()).isEqualTo(gaussian.epsilon(delta).value());
    assertThat(interval.lower()).isEqualTo(gaussian.epsilonAtMost(delta).value());
  }

  private static double above(double z) {
    return NormalTail.above(z, NormalTail.beyond(z));
  }

  private static double below(double z) {
    return NormalTail.below(z, NormalTail.beyond(z));
  }
}
