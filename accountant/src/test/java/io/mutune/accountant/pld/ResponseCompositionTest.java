package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.testing.Effort;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compositions of randomised responses, alone and beside Gaussian releases, against brute force in
 * 60 digits. Both ends are held strictly: there is no tolerance on the wrong side.
 */
class ResponseCompositionTest {
  /** What is composed with what it is exactly, and the question. */
  record Question(List<Mechanism> mechanisms, ExactLosses exact, double mu, double delta) {
    BigDecimal delta(double epsilon) {
      return mu > 0 ? exact.deltaBesides(mu, epsilon) : exact.delta(epsilon);
    }

    PldAccountant accountant() {
      return PldAccountant.of(mechanisms, Adjacency.ADD_REMOVE);
    }
  }

  private static double power(Random random, double low, double high) {
    return Math.pow(10, low + (high - low) * random.nextDouble());
  }

  /** One to three groups of responses whose ε are anywhere from 10⁻⁵ to 200. */
  private static Question draw(int seed, boolean isBesideGaussian) {
    Random random = new Random(seed);
    List<Mechanism> mechanisms = new ArrayList<>();
    ExactLosses exact = ExactLosses.NONE;
    int groups = 1 + random.nextInt(isBesideGaussian ? 2 : 3);
    for (int i = 0; i < groups; i++) {
      double epsilon = power(random, -5, 2.3);
      int count = 1 + random.nextInt(groups == 1 ? 30 : 5);
      double lost = random.nextInt(3) == 0 ? power(random, -12, -3) : 0;
      exact = exact.compose(ExactLosses.responses(epsilon, lost, count));
      mechanisms.add(
          lost > 0
              ? new ApproximateDp(Epsilon.of(epsilon), Delta.of(lost), count)
              : new PureDp(Epsilon.of(epsilon), count));
    }
    double sigma = power(random, -0.7, 2);
    if (isBesideGaussian) {
      mechanisms.add(new Gaussian(NoiseMultiplier.of(sigma), 1, 1));
    }
    double delta = random.nextInt(4) == 0 ? power(random, -200, -12) : power(random, -12, -0.5);
    double mu = new Gaussian(NoiseMultiplier.of(sigma), 1, 1).mu().orElseThrow().value();
    return new Question(mechanisms, exact, isBesideGaussian ? mu : 0, delta);
  }

  static Stream<Question> alone() {
    return Effort.oneIn(6, IntStream.range(0, 90).mapToObj(seed -> draw(seed, false)));
  }

  static Stream<Question> besideGaussian() {
    return Effort.oneIn(6, IntStream.range(500, 512).mapToObj(seed -> draw(seed, true)));
  }

  @ParameterizedTest
  @MethodSource({"alone", "besideGaussian"})
  void theSmallestEpsilon_isBetweenBothEnds(Question question) {
    EpsilonInterval interval = question.accountant().interval(Delta.of(question.delta));
    BigDecimal delta = new BigDecimal(question.delta);
    if (Double.isInfinite(interval.upper())) {
      // Only where failures alone are as likely, but for the 2⁻⁴⁰ of their rounding.
      assertThat(question.exact.infinite().doubleValue())
          .isGreaterThanOrEqualTo(question.delta * (1 - 1e-9));
    } else {
      assertThat(question.delta(interval.upper())).isLessThanOrEqualTo(delta);
    }
    if (Double.isInfinite(interval.lower())) {
      assertThat(question.exact.infinite()).isGreaterThan(delta);
    } else if (interval.lower() > 0) {
      assertThat(question.delta(interval.lower())).isGreaterThanOrEqualTo(delta);
    }
  }

  @ParameterizedTest
  @MethodSource({"alone", "besideGaussian"})
  void delta_isNeverBelowTheTruthAndCloseToIt(Question question) {
    PldAccountant accountant = question.accountant();
    Random random = new Random(Double.hashCode(question.delta));
    double most =
        question.exact.atoms().stream().mapToDouble(a -> a.loss().doubleValue()).max().orElse(0);
    for (int i = 0; i < 3; i++) {
      double epsilon = (most + 5 * question.mu) * random.nextDouble();
      BigDecimal exact = question.delta(epsilon);
      double upper = accountant.delta(Epsilon.of(epsilon)).value();
      assertThat(new BigDecimal(upper).min(BigDecimal.ONE))
          .isGreaterThanOrEqualTo(exact.min(upTo1()));
      // Cells are a 10⁻³ of the spread of losses at most, and chords err by their square.
      double next = question.delta(epsilon - 2e-3 * (most + question.mu)).doubleValue();
      assertThat(upper)
          .as(question.mechanisms + " at " + epsilon)
          .isLessThanOrEqualTo(next * (1 + 1e-6) + 1e-12);
    }
  }

  private static BigDecimal upTo1() {
    return BigDecimal.ONE.subtract(new BigDecimal("1e-50"));
  }

  /** Settings at the ends of what may be asked; the file says what each is there for. */
  @ParameterizedTest
  @CsvFileSource(resources = "/io/mutune/accountant/pld/responses.csv", numLinesToSkip = 1)
  void atTheEndsOfTheirRanges_bothEndsHold(
      double epsilon, double lost, int count, double delta, double width, String why) {
    Mechanism mechanism =
        lost > 0
            ? new ApproximateDp(Epsilon.of(epsilon), Delta.of(lost), count)
            : new PureDp(Epsilon.of(epsilon), count);
    ExactLosses exact = ExactLosses.responses(epsilon, lost, count);
    EpsilonInterval interval =
        PldAccountant.of(List.of(mechanism), Adjacency.ADD_REMOVE).interval(Delta.of(delta));
    BigDecimal asked = new BigDecimal(delta);
    assertThat(exact.delta(interval.upper())).as(why).isLessThanOrEqualTo(asked);
    if (interval.lower() > 0) {
      assertThat(exact.delta(interval.lower())).as(why).isGreaterThanOrEqualTo(asked);
    }
    assertThat(interval.upper() - interval.lower())
        .as(why)
        .isLessThanOrEqualTo(width * count * epsilon * (1 + 1e-14) + 1e-15);
  }

  /**
   * Losses beyond 708 have masses under Q that no double holds. Their cells' ends are all that is
   * known of them; once the lower end was the top of the window here, above the truth.
   */
  @Test
  void whereOtherMassesUnderflow_lowerEndsAreBelowTheTruth() {
    double delta = 0.00467;
    double mu = new Gaussian(NoiseMultiplier.of(0.204), 1, 100).mu().orElseThrow().value();
    List<Mechanism> mixed =
        List.of(
            new ApproximateDp(Epsilon.of(0.924), Delta.of(9.3e-10), 5),
            new PureDp(Epsilon.of(0.000121), 2),
            new Gaussian(NoiseMultiplier.of(0.204), 1, 100));
    ExactLosses exact =
        ExactLosses.responses(0.924, 9.3e-10, 5).compose(ExactLosses.responses(0.000121, 0, 2));
    EpsilonInterval interval =
        PldAccountant.of(mixed, Adjacency.ADD_REMOVE).interval(Delta.of(delta));
    assertThat(exact.deltaBesides(mu, interval.lower()))
        .isGreaterThanOrEqualTo(new BigDecimal(delta));
    assertThat(exact.deltaBesides(mu, interval.upper())).isLessThanOrEqualTo(new BigDecimal(delta));
    assertThat(interval.lower()).isCloseTo(interval.upper(), within(1e-5 * interval.upper()));
  }

  /** All of the merged masses fell out of range here, and no number was taken for an answer. */
  @Test
  void whereNothingIsLeftOfAMeasure_theLowerEndIsNotTheWindowsTop() {
    double one = 0.0694;
    double five = 0.00369;
    EpsilonInterval two =
        PldAccountant.of(
                List.of(new PureDp(Epsilon.of(one), 1), new PureDp(Epsilon.of(five), 5)),
                Adjacency.ADD_REMOVE)
            .interval(Delta.of(3.82e-187));
    BigDecimal sum = new BigDecimal(one).add(new BigDecimal(five).multiply(BigDecimal.valueOf(5)));
    assertThat(new BigDecimal(two.lower())).isLessThan(sum);
    assertThat(new BigDecimal(two.upper())).isGreaterThanOrEqualTo(sum);
  }
}
