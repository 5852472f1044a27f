package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.apache.commons.numbers.gamma.Erfc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each accountant's figures from the textbook's formula, written down and solved again here. */
class HandFormulasTest {
  private static double upper(Accountant accountant, Query query, Mechanism... mechanisms) {
    return ((Bound) accountant.answer(Releases.of(Adjacency.ADD_REMOVE, mechanisms), query))
        .upper();
  }

  private static Query at(double delta) {
    return new EpsilonAt(Delta.of(delta));
  }

  private static void isJustAbove(double bound, double truth, double slack) {
    assertThat(bound).isBetween(truth * (1 - 1e-12), truth * (1 + slack));
  }

  private static double tail(double z) {
    return Erfc.value(z * Math.sqrt(0.5)) / 2;
  }

  /** Balle and Wang 2018, Theorem 8. */
  private static double gaussianDelta(double mu, double epsilon) {
    return tail(epsilon / mu - mu / 2) - Math.exp(epsilon) * tail(epsilon / mu + mu / 2);
  }

  /** Where a falling function passes a value, by halving. */
  private static double solve(DoubleUnaryOperator falling, double value, double high) {
    double low = 0;
    double end = high;
    for (int i = 0; i < 200; i++) {
      double middle = (low + end) / 2;
      if (falling.applyAsDouble(middle) > value) {
        low = middle;
      } else {
        end = middle;
      }
    }
    return end;
  }

  private static double gaussianEpsilon(double mu, double delta) {
    return solve(e -> gaussianDelta(mu, e), delta, 600);
  }

  /** μ of the worst ε-DP release: Φ(μ/2) = e^ε/(1 + e^ε). */
  private static double muOfPure(double epsilon) {
    return 2 * solve(tailAt -> tail(tailAt), 1 / (1 + Math.exp(epsilon)), 40);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1e-5",
    "10, 2, 7, 1e-6",
    "0.7, 1, 3, 1e-3",
    "30, 1, 100, 1e-9",
    "3, 0.1, 9, 1e-4"
  })
  void gdp_isTheGaussiansClosedForm(double sigma, double sensitivity, long count, double delta) {
    double mu = Math.sqrt((double) count) * sensitivity / sigma;
    Gaussian all = new Gaussian(NoiseMultiplier.of(sigma), sensitivity, count);
    isJustAbove(upper(Accountant.GDP, at(delta), all), gaussianEpsilon(mu, delta), 1e-9);
    // One by one with other scales of the same ratio.
    Mechanism[] single = new Mechanism[(int) count];
    for (int i = 0; i < count; i++) {
      double scale = 1 + i;
      single[i] = new Gaussian(NoiseMultiplier.of(sigma * scale), sensitivity * scale, 1);
    }
    isJustAbove(upper(Accountant.GDP, at(delta), single), gaussianEpsilon(mu, delta), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 1, 1e-5", "0.5, 4, 1e-6", "2, 1, 1e-9", "0.02, 200, 1e-5", "1, 3, 1e-3"})
  void gdp_coversPureReleasesByTheWorstOfThem(double epsilon, long count, double delta) {
    double mu = Math.sqrt((double) count) * muOfPure(epsilon);
    double expected = gaussianEpsilon(mu, delta);
    for (Mechanism mechanism :
        new Mechanism[] {
          new PureDp(Epsilon.of(epsilon), count),
          new RandomizedResponse(Epsilon.of(epsilon), count),
          new ExponentialMechanism(Epsilon.of(epsilon), count),
          new Laplace(1 / epsilon, 1, count)
        }) {
      isJustAbove(upper(Accountant.GDP, at(delta), mechanism), expected, 1e-7);
    }
    double beside = Math.sqrt(mu * mu + 0.25);
    isJustAbove(
        upper(
            Accountant.GDP,
            at(delta),
            new PureDp(Epsilon.of(epsilon), count),
            new Gaussian(NoiseMultiplier.of(2), 1, 1)),
        gaussianEpsilon(beside, delta),
        1e-7);
  }

  /** ρ: μ²/2, ε²/2 and ε²/8; then the least of ρα + ln(1 − 1/α) − ln(δα)/(α − 1) over α. */
  @ParameterizedTest
  @CsvSource({"4, 0.1, 0.2, 0.01, 1e-5", "20, 0.01, 0.05, 0.001, 1e-7", "2, 1, 1, 0.1, 1e-3"})
  void zcdp_addsTheRhosOfAllKinds(
      double sigma, double pure, double range, double rho, double delta) {
    double total = 3 / (2 * sigma * sigma) + 2 * pure * pure / 2 + 5 * range * range / 8 + 7 * rho;
    double least = Double.POSITIVE_INFINITY;
    // Steps of 1e-4 in a parabola leave 1e-9.
    for (double log = -8; log < 12; log += 1e-4) {
      double order = 1 + Math.exp(log);
      least =
          Math.min(
              least,
              total * order + Math.log1p(-1 / order) - Math.log(delta * order) / (order - 1));
    }
    isJustAbove(
        upper(
            Accountant.ZCDP,
            at(delta),
            new Gaussian(NoiseMultiplier.of(sigma), 1, 3),
            new RandomizedResponse(Epsilon.of(pure), 2),
            new ExponentialMechanism(Epsilon.of(range), 5),
            TruncatedConcentrated.ofZeroConcentrated(rho, 7)),
        least * (1 - 1e-9),
        2e-9);
  }

  /** Every pure mechanism has its own ε, which basic composition adds up and nothing else. */
  @Property(tries = 200)
  void basic_addsEveryMechanismsOwnEpsilon(
      @ForAll @DoubleRange(min = 0.01, max = 3) double epsilon,
      @ForAll @DoubleRange(min = 0.001, max = 1) @Scale(4) double rate,
      @ForAll @IntRange(min = 1, max = 50) int count) {
    double sampled = Math.log1p(rate * Math.expm1(epsilon));
    double expected = count * (3 * epsilon + sampled) + 2 * epsilon;
    double bound =
        upper(
            Accountant.BASIC,
            at(0),
            new Laplace(5 / epsilon, 5, count),
            new SubsampledLaplace(5 / epsilon, rate, 5, count),
            new ExponentialMechanism(Epsilon.of(epsilon), count),
            new RandomizedResponse(Epsilon.of(epsilon), count),
            new PureDp(Epsilon.of(epsilon), 2));
    isJustAbove(bound, expected, 1e-12);
  }

  /** Kairouz, Oh and Viswanath 2015, Theorem 3.5, third term, for releases of two kinds. */
  @Property(tries = 200)
  void advanced_isItsFormula(
      @ForAll @DoubleRange(min = 0.01, max = 1) double first,
      @ForAll @DoubleRange(min = 0.01, max = 1) double second,
      @ForAll @IntRange(min = 1, max = 500) int count,
      @ForAll @DoubleRange(min = -12, max = -2) double logDelta) {
    double delta = Math.pow(10, logDelta);
    double own = delta / 1000;
    double slack = delta - 3 * own;
    double expected =
        count * first * Math.tanh(first / 2)
            + 3 * second * Math.tanh(second / 2)
            + Math.sqrt(2 * Math.log(1 / slack) * (count * first * first + 3 * second * second));
    double bound =
        upper(
            Accountant.ADVANCED,
            at(delta),
            new PureDp(Epsilon.of(first), count),
            new ApproximateDp(Epsilon.of(second), Delta.of(own), 3));
    isJustAbove(bound, expected, 1e-9);
  }

  /** Half of δ is the slack, the other half is shared by all Gaussian releases. */
  @ParameterizedTest
  @CsvSource({"20, 10, 1e-5", "100, 400, 1e-6", "5, 1, 1e-4"})
  void advanced_sharesHalfOfDeltaAmongGaussians(double sigma, long count, double delta) {
    double one = gaussianEpsilon(1 / sigma, delta / 2 / count);
    double expected =
        count * one * Math.tanh(one / 2) + Math.sqrt(2 * Math.log(2 / delta) * count * one * one);
    isJustAbove(
        upper(Accountant.ADVANCED, at(delta), new Gaussian(NoiseMultiplier.of(sigma), 1, count)),
        expected,
        1e-8);
  }

  /** The optimum for n randomised responses is a finite sum, which PLD has to find. */
  @ParameterizedTest
  @CsvSource({"0.1, 1", "0.1, 20", "0.5, 7", "1, 3", "0.02, 50"})
  void pld_isTheOptimalCompositionOfRandomisedResponses(double one, int count) {
    RandomizedResponse bits = new RandomizedResponse(Epsilon.of(one), count);
    for (double epsilon : new double[] {0, 0.3 * one * count, 0.8 * one * count}) {
      double exact = 0;
      for (int lies = 0; lies <= count; lies++) {
        double loss = (count - 2 * lies) * one;
        if (loss > epsilon) {
          exact +=
              CombinatoricsUtils.binomialCoefficientDouble(count, lies)
                  * Math.exp((count - lies) * one - count * Math.log1p(Math.exp(one)))
                  * -Math.expm1(epsilon - loss);
        }
      }
      double bound = upper(Accountant.PLD, new DeltaAt(Epsilon.of(epsilon)), bits);
      assertThat(bound).isBetween(exact * (1 - 1e-9), exact * 1.01 + 1e-12);
      if (exact > 1e-12 && epsilon > 0) {
        double back = upper(Accountant.PLD, at(exact), bits);
        // A grid may err upward by some ten-thousandths; from an ε at a step, by one step.
        assertThat(back).isBetween(epsilon * (1 - 1e-6), epsilon + 2 * one);
      }
      // Everybody else is above the optimum.
      for (Accountant other :
          new Accountant[] {
            Accountant.GDP, Accountant.RDP, Accountant.ZCDP, Accountant.ADVANCED, Accountant.BASIC
          }) {
        assertThat(upper(other, new DeltaAt(Epsilon.of(epsilon)), bits))
            .as(other.key())
            .isGreaterThanOrEqualTo(exact * (1 - 1e-9));
      }
    }
  }

  /** Φ's own figure for one step of DP-SGD with every row: known for all sampling rates below. */
  @ParameterizedTest
  @EnumSource(
      value = Accountant.class,
      names = {"PLD", "RDP", "ADVANCED", "BASIC"})
  void oneSampledStep_isAboveItsExactEpsilon(Accountant accountant) {
    for (double sigma : new double[] {0.8, 2, 10}) {
      for (double rate : new double[] {0.001, 0.05, 0.6}) {
        // δ(ε) of the mixture from the rest is q·δ_Gauss at ln(1 + (e^ε − 1)/q), for removal.
        double delta = 1e-5;
        DoubleUnaryOperator removal =
            e -> rate * gaussianDelta(1 / sigma, Math.log1p(Math.expm1(e) / rate));
        double exact = removal.applyAsDouble(0) <= delta ? 0 : solve(removal, delta, 600);
        double bound =
            upper(
                accountant,
                at(delta),
                new SubsampledGaussian(NoiseMultiplier.of(sigma), rate, 1, 1));
        assertThat(bound)
            .as("%s at sigma %s, rate %s", accountant.key(), sigma, rate)
            .isGreaterThanOrEqualTo(exact * (1 - 1e-9));
        if (accountant == Accountant.PLD) {
          assertThat(bound).isLessThanOrEqualTo(exact * 1.02 + 1e-3);
        }
        if (accountant == Accountant.BASIC) {
          // One release's own (ε, δ), amplified: the same formula.
          isJustAbove(bound, exact, 1e-6);
        }
      }
    }
  }

  @Test
  void failures_addUpAsTheyAreWritten() {
    ApproximateDp leak = new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-6), 3);
    double all = -Math.expm1(3 * Math.log1p(-1e-6));
    Query beyond = new DeltaAt(Epsilon.of(0.3 * (1 + 1e-9)));
    isJustAbove(upper(Accountant.PLD, beyond, leak), all, 1e-8);
    isJustAbove(upper(Accountant.BASIC, beyond, leak), 3e-6, 1e-11);
    assertThat(upper(Accountant.RDP, beyond, leak)).isGreaterThanOrEqualTo(all * (1 - 1e-12));
  }
}
