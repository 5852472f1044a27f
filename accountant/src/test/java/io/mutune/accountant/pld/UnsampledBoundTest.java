package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound by whether a row is sampled at all, against pairs composed by brute force. */
class UnsampledBoundTest {
  private static final int STEPS = 3;
  private static final double EPSILON = 0.4;
  private static final int RESPONSES = 2;

  private static Mechanism sampled(double q, long count) {
    return new SubsampledGaussian(NoiseMultiplier.of(1), q, 1, count);
  }

  private static UnsampledBound bound(Adjacency adjacency, Mechanism... mechanisms) {
    return UnsampledBound.of(List.of(mechanisms), adjacency).orElseThrow();
  }

  /** P against Q, whose outputs are the same ones; an output that Q lacks has an infinite loss. */
  private static ExactLosses losses(BigDecimal[] p, BigDecimal[] q) {
    List<ExactLosses.Atom> atoms = new ArrayList<>();
    BigDecimal infinite = BigDecimal.ZERO;
    for (int i = 0; i < p.length; i++) {
      if (p[i].signum() > 0 && q[i].signum() > 0) {
        BigDecimal ratio = p[i].divide(q[i], Digits.FIFTY);
        atoms.add(new ExactLosses.Atom(Digits.log(ratio), p[i]));
      } else {
        infinite = infinite.add(p[i]);
      }
    }
    return new ExactLosses(atoms, infinite);
  }

  private static BigDecimal[] mix(BigDecimal rate, BigDecimal[] with, BigDecimal[] without) {
    BigDecimal[] mixed = new BigDecimal[with.length];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = rate.multiply(with[i]).add(BigDecimal.ONE.subtract(rate).multiply(without[i]));
    }
    return mixed;
  }

  private static BigDecimal[] exact(double... masses) {
    BigDecimal[] all = new BigDecimal[masses.length];
    for (int i = 0; i < masses.length; i++) {
      all[i] = new BigDecimal(masses[i]);
    }
    return all;
  }

  /**
   * Sampled releases of three outputs that tell of the row a little, much or all (the last output
   * is one that only the row can cause, the first one that only its opposite can), beside two
   * randomised responses.
   */
  private static List<ExactLosses> truths(double rate, Adjacency adjacency, double telling) {
    BigDecimal q = new BigDecimal(rate);
    BigDecimal[] without = exact(0, 1, 0);
    BigDecimal[] with = exact(0, 1 - telling, telling);
    BigDecimal[] opposite = exact(telling, 1 - telling, 0);
    BigDecimal[] one = mix(q, with, without);
    BigDecimal[] other = adjacency == Adjacency.ADD_REMOVE ? without : mix(q, opposite, without);
    ExactLosses responses = ExactLosses.responses(EPSILON, 0, RESPONSES);
    List<ExactLosses> both = new ArrayList<>();
    for (ExactLosses release : List.of(losses(one, other), losses(other, one))) {
      ExactLosses all = responses;
      for (int i = 0; i < STEPS; i++) {
        all = all.compose(release);
      }
      both.add(all);
    }
    return both;
  }

  @ParameterizedTest
  @CsvSource({
    "1e-12, ADD_REMOVE", "1e-3, ADD_REMOVE", "0.3, ADD_REMOVE", "0.9, ADD_REMOVE",
    "1e-12, REPLACE_ONE", "1e-3, REPLACE_ONE", "0.3, REPLACE_ONE", "0.9, REPLACE_ONE"
  })
  void delta_isNeverBelowThatOfAnySampledReleases(double q, Adjacency adjacency) {
    UnsampledBound bound =
        bound(adjacency, sampled(q, STEPS), new PureDp(Epsilon.of(EPSILON), RESPONSES));
    for (double telling : new double[] {0.125, 0.5, 1}) {
      for (ExactLosses truth : truths(q, adjacency, telling)) {
        for (double epsilon : new double[] {0, 0.1, 0.45, 0.79, 0.81, 3}) {
          assertThat(new BigDecimal(bound.delta(Epsilon.of(epsilon))))
              .isGreaterThanOrEqualTo(truth.delta(epsilon));
        }
        for (double over : new double[] {1e-9, 1e-3, 0.05, 0.3}) {
          double delta = Math.min(1, bound.sampled() + (1 - bound.sampled()) * over);
          double epsilon = bound.epsilon(delta);
          assertThat(epsilon).isFinite();
          assertThat(truth.delta(epsilon)).isLessThanOrEqualTo(new BigDecimal(delta));
        }
      }
    }
  }

  /** Replaced rows that tell all make it an equality: nothing less would hold. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-12, 1e-3, 0.3})
  void delta_isReachedByRowsThatTellAll(double q) {
    UnsampledBound bound =
        bound(Adjacency.REPLACE_ONE, sampled(q, STEPS), new PureDp(Epsilon.of(EPSILON), RESPONSES));
    for (double epsilon : new double[] {0, 0.2, 0.7, 3}) {
      double truth = truths(q, Adjacency.REPLACE_ONE, 1).get(0).delta(epsilon).doubleValue();
      // Two responses' lattice is exact but for a few hundred roundings.
      assertThat(bound.delta(Epsilon.of(epsilon))).isCloseTo(truth, within(1e-11 * truth + 1e-300));
    }
    double truth = truths(q, Adjacency.REPLACE_ONE, 1).get(0).delta(0.7).doubleValue();
    assertThat(bound.epsilon(truth * (1 + 1e-11))).isBetween(0.7 - 1e-6, 0.7 + 1e-6);
  }

  @ParameterizedTest
  @CsvSource({
    "1e-320, 1",
    "1e-300, 1000",
    "1e-20, 1000000000",
    "1e-9, 7",
    "0.01, 3",
    "0.5, 40",
    "0.999, 2"
  })
  void whetherARowIsSampled_isRoundedUp(double q, int count) {
    UnsampledBound bound = bound(Adjacency.ADD_REMOVE, sampled(q, count));
    // ln(1 − q) by its series where digits are too few for 1 − q itself.
    BigDecimal rate = new BigDecimal(q);
    BigDecimal log =
        q < 1e-15
            ? rate.add(rate.multiply(rate).divide(BigDecimal.valueOf(2))).negate()
            : Digits.log(BigDecimal.ONE.subtract(rate));
    BigDecimal x = log.multiply(BigDecimal.valueOf(count)).negate();
    BigDecimal exact =
        x.doubleValue() < 1e-25
            ? x.subtract(x.multiply(x).divide(BigDecimal.valueOf(2)))
            : BigDecimal.ONE.subtract(Digits.exp(x.negate()));
    assertThat(new BigDecimal(bound.sampled())).isGreaterThanOrEqualTo(exact.min(BigDecimal.ONE));
    // A dozen roundings and one smallest normal double.
    assertThat(bound.sampled()).isLessThanOrEqualTo(exact.doubleValue() * (1 + 5e-15) + 3e-308);
    assertThat(bound.sampled()).isLessThanOrEqualTo(count * q * (1 + 5e-15) + 3e-308);
  }

  @Test
  void severalSampledReleases_missTheRowTogether() {
    Mechanism laplace = new SubsampledLaplace(1, 0.25, 1, 2);
    UnsampledBound bound = bound(Adjacency.ADD_REMOVE, sampled(0.5, 1), laplace);
    assertThat(bound.sampled()).isCloseTo(1 - 0.5 * 0.75 * 0.75, within(2e-15));
    assertThat(bound.others()).isEmpty();
    assertThat(UnsampledBound.of(List.of(sampled(1, 5)), Adjacency.ADD_REMOVE)).isEmpty();
    Gaussian whole = new Gaussian(NoiseMultiplier.of(2), 1, 1);
    assertThat(bound(Adjacency.ADD_REMOVE, sampled(1, 5), laplace, whole).others())
        .containsExactly(sampled(1, 5), whole);
  }

  @Test
  void aDeltaOfNoMoreThanTheSamples_saysNothing() {
    UnsampledBound bound = bound(Adjacency.ADD_REMOVE, sampled(1e-7, 10));
    assertThat(bound.epsilon(bound.sampled())).isInfinite();
    assertThat(bound.epsilon(0.9e-6)).isInfinite();
    assertThat(bound.epsilon(1.1e-6)).isZero();
    assertThat(bound(Adjacency.ADD_REMOVE, sampled(0.999, 1000)).epsilon(1)).isInfinite();
  }

  /** No grid holds these losses; that the rows are hardly ever sampled is all there is to say. */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void rarelySampledReleases_costNothingAtAnyLargerDelta(Adjacency adjacency) {
    for (double q : new double[] {1e-300, 1e-12}) {
      PldAccountant accountant = PldAccountant.of(List.of(sampled(q, 1000)), adjacency);
      assertThat(accountant.epsilon(Delta.of(1e-5))).isZero();
      assertThat(accountant.interval(Delta.of(1e-5))).isEqualTo(new EpsilonInterval(0, 0));
      assertThat(accountant.delta(Epsilon.of(0)).value())
          .isLessThanOrEqualTo(1000 * q * (1 + 1e-10));
      // At a δ that is smaller it still knows what releases without sampling cost.
      assertThat(accountant.epsilon(Delta.of(100 * q))).isFinite();
    }
  }

  @Test
  void rarelySampledReleases_addNothingToOthers() {
    List<Mechanism> others =
        List.of(
            new PureDp(Epsilon.of(0.1), 3), new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-7), 2));
    List<Mechanism> all = new ArrayList<>(others);
    all.add(sampled(1e-200, 1000));
    PldAccountant alone = PldAccountant.of(others, Adjacency.ADD_REMOVE);
    PldAccountant together = PldAccountant.of(all, Adjacency.ADD_REMOVE);
    double epsilon = alone.epsilon(Delta.of(1e-5));
    EpsilonInterval interval = together.interval(Delta.of(1e-5));
    assertThat(interval.upper()).isCloseTo(epsilon, withinPercentage(1e-7));
    assertThat(interval.lower()).isLessThanOrEqualTo(epsilon);
    assertThat(together.delta(Epsilon.of(0.5)).value())
        .isCloseTo(alone.delta(Epsilon.of(0.5)).value(), withinPercentage(1e-6));
  }
}
