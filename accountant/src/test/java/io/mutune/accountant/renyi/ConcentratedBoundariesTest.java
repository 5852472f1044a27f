package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** zCDP, tCDP and PPSGD's theorem where their conditions begin and end. */
class ConcentratedBoundariesTest {
  private static final Delta DELTA = Delta.of(1e-5);
  private static final double LOG = -Math.log(1e-5);

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void aRhoOutOfRange_isRefused(double rho) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ZeroConcentratedDp.of(rho))
        .withMessage("rho must be finite and at least 0; was " + rho);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.of(rho, 3))
        .withMessage("rho must be finite and above 0; was " + rho);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PpsgdStep.of(rho, 10, 100))
        .withMessage("rho must be finite and above 0; was " + rho);
  }

  @Test
  void noLossAtAll_isAZeroConcentratedOneAndNoTruncatedOne() {
    assertThat(ZeroConcentratedDp.of(0).epsilon(DELTA)).isEqualTo(Epsilon.of(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.of(0, 3))
        .withMessage("rho must be finite and above 0; was 0.0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5, -2, Double.NaN})
  void anOmegaOutOfRange_isRefused(double omega) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.of(1, omega))
        .withMessage("omega must be above 1; was " + omega);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void aDeltaOfZeroOrOne_hasNoStandardEpsilon(double delta) {
    String message = "delta must be above 0 and below 1; was " + delta;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ZeroConcentratedDp.of(1).standardEpsilon(Delta.of(delta)))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.of(1, 3).epsilon(Delta.of(delta)))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.ofBudget(Epsilon.of(1), Delta.of(delta)))
        .withMessage(message);
  }

  @Test
  void aBudgetOfNothing_hasNoRho() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.ofBudget(Epsilon.of(0), DELTA))
        .withMessageContaining("rho must be finite and above 0");
  }

  /** The order at which ρα + L/(α − 1) is least is 1 + √(L/ρ): it must be below ω, or at it. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 0.01, 0.3, 2})
  void theBestOrder_isReachedFromItsOmegaOn(double rho) {
    double best = 1 + Math.sqrt(LOG / rho);
    TruncatedConcentratedDp beyond = TruncatedConcentratedDp.of(rho, best * (1 + 1e-9));
    TruncatedConcentratedDp below = TruncatedConcentratedDp.of(rho, 1 + (best - 1) * (1 - 1e-9));
    assertThat(beyond.reachesBestOrder(DELTA)).isTrue();
    assertThat(below.reachesBestOrder(DELTA)).isFalse();
    double standard = rho + 2 * Math.sqrt(rho * LOG);
    assertThat(beyond.epsilon(DELTA).value()).isBetween(standard, standard * (1 + 1e-13));
    // Both formulas meet there, so that ε has no step; farther from it the second one is more.
    assertThat(below.epsilon(DELTA).value()).isBetween(standard, standard * (1 + 1e-9));
    TruncatedConcentratedDp half = TruncatedConcentratedDp.of(rho, 1 + (best - 1) / 2);
    assertThat(half.epsilon(DELTA).value())
        .isBetween(
            (rho * half.omega() + LOG / (half.omega() - 1)) * (1 - 1e-15),
            (rho * half.omega() + LOG / (half.omega() - 1)) * (1 + 1e-13))
        .isGreaterThan(standard);
  }

  /** PPSGD's equation 3 backwards: the whole of ρ costs the whole of ε and no more. */
  @Property(tries = 300)
  void theRhoOfABudget_isTheLargestThatKeepsIt(
      @ForAll @DoubleRange(min = -4, max = 3) double logEpsilon,
      @ForAll @DoubleRange(min = -100, max = -0.1) double logDelta) {
    double epsilon = Math.pow(10, logEpsilon);
    Delta delta = Delta.of(Math.pow(10, logDelta));
    TruncatedConcentratedDp total = TruncatedConcentratedDp.ofBudget(Epsilon.of(epsilon), delta);
    double log = -Math.log(delta.value());
    double spent = total.rho() + 2 * Math.sqrt(total.rho() * log);
    assertThat(spent).isBetween(epsilon * (1 - 1e-12), epsilon * (1 + 1e-14));
    assertThat(total.reachesBestOrder(delta)).isTrue();
    assertThat(total.epsilon(delta).value()).isLessThanOrEqualTo(epsilon * (1 + 1e-12));
    // The best real order gains on the textbook's formula and never loses.
    assertThat(RenyiDp.of(total.curve()).epsilonOrInfinity(delta))
        .isLessThanOrEqualTo(epsilon * (1 + 1e-9));
  }

  @Property(tries = 200)
  void rhos_addUpWhateverTheirOrder(
      @ForAll @DoubleRange(min = 0, max = 5) double a,
      @ForAll @DoubleRange(min = 0, max = 5) double b,
      @ForAll @DoubleRange(min = 0, max = 5) double c,
      @ForAll @LongRange(min = 1, max = 1000) long count) {
    ZeroConcentratedDp all =
        ZeroConcentratedDp.compose(
            List.of(ZeroConcentratedDp.of(a), ZeroConcentratedDp.of(b), ZeroConcentratedDp.of(c)));
    BigDecimal exact = new BigDecimal(a).add(new BigDecimal(b)).add(new BigDecimal(c));
    assertThat(new BigDecimal(all.rho()))
        .isGreaterThanOrEqualTo(exact)
        .isLessThanOrEqualTo(exact.multiply(BigDecimal.valueOf(1 + 1e-13)));
    BigDecimal times = new BigDecimal(a).multiply(BigDecimal.valueOf(count));
    assertThat(new BigDecimal(ZeroConcentratedDp.of(a).times(count).rho()))
        .isGreaterThanOrEqualTo(times)
        .isLessThanOrEqualTo(times.multiply(BigDecimal.valueOf(1 + 1e-13)));
  }

  @Test
  void truncatedOnes_addUpToTheSmallerOmega() {
    TruncatedConcentratedDp both =
        TruncatedConcentratedDp.of(0.25, 8).plus(TruncatedConcentratedDp.of(0.5, 3));
    assertThat(both.omega()).isEqualTo(3);
    assertThat(both.rho()).isBetween(0.75, 0.75 * (1 + 1e-14));
    assertThat(both.curve().at(2.9)).isBetween(0.75 * 2.9, 0.75 * 2.9 * (1 + 1e-13));
    assertThat(both.curve().at(3)).isInfinite();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void noReleasesOfAZeroConcentratedOne_areRefused(long count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ZeroConcentratedDp.of(1).times(count))
        .withMessage("count must be at least 1; was " + count);
  }

  /** A Gaussian has its ρ exactly; every other mechanism of that ρ costs no less by zCDP. */
  @Property(tries = 100)
  void conversions_areNeverBelowTheGaussianOfThatRho(
      @ForAll @DoubleRange(min = -5, max = 2) double logRho,
      @ForAll @DoubleRange(min = -30, max = -0.5) double logDelta) {
    double rho = Math.pow(10, logRho);
    Delta delta = Delta.of(Math.pow(10, logDelta));
    ZeroConcentratedDp dp = ZeroConcentratedDp.of(rho);
    double gaussian = GaussianDp.of(Mu.of(Math.sqrt(2 * rho))).epsilonAtMost(delta).value();
    assertThat(dp.epsilon(delta).value())
        .isGreaterThanOrEqualTo(gaussian)
        .isLessThanOrEqualTo(dp.standardEpsilon(delta).value());
  }

  @Test
  void theSourcesOfRho_areTheirFormulas() {
    assertThat(ZeroConcentratedDp.ofMu(Mu.of(3)).rho()).isBetween(4.5, 4.5 * (1 + 1e-14));
    assertThat(ZeroConcentratedDp.ofPure(Epsilon.of(3)).rho()).isBetween(4.5, 4.5 * (1 + 1e-14));
    assertThat(ZeroConcentratedDp.ofBoundedRange(Epsilon.of(4)).rho())
        .isBetween(2.0, 2 * (1 + 1e-14));
    double pure = RenyiDp.of(new PureDp(Epsilon.of(0.7), 1), Adjacency.ADD_REMOVE).curve().at(5);
    assertThat(ZeroConcentratedDp.ofPure(Epsilon.of(0.7)).curve().at(5))
        .isGreaterThanOrEqualTo(pure);
  }

  /** Each condition of Theorem 4 broken alone, by the least there is. */
  @ParameterizedTest
  @CsvSource({
    // ρ, s, enough ω, which one fails
    "0.01, 0.1, true, none",
    "0.01, 0.1000001, true, rate",
    "0.1, 0.002, true, none",
    "0.1000001, 0.0001, true, rho",
    "0.1, 0.1, true, none",
    "0.05, 0.01, false, omega",
  })
  void theConditions_failOneByOne(double rho, double rate, boolean enough, String failing) {
    double needed = -Math.log(rate) / (2 * rho);
    double omega = enough ? needed * 1.000001 : needed * 0.999999;
    SampledTcdp sampled = TruncatedConcentratedDp.of(rho, omega).sampled(rate);
    assertThat(sampled.omegaNeeded()).isBetween(needed * (1 - 1e-14), needed * (1 + 1e-14));
    assertThat(sampled.rateIsSmall()).isEqualTo(!failing.equals("rate"));
    assertThat(sampled.rhoIsSmall()).isEqualTo(!failing.equals("rho"));
    assertThat(sampled.omegaIsLarge()).isEqualTo(enough);
    boolean log = -Math.log(rate) >= 3 * rho * (2 - Math.log(rho) / Math.log(2));
    assertThat(sampled.logIsLarge()).isEqualTo(log);
    assertThat(sampled.applies()).isEqualTo(failing.equals("none") && log && sampled.omega() > 1);
    if (!sampled.applies()) {
      assertThatIllegalStateException()
          .isThrownBy(sampled::guarantee)
          .withMessageStartingWith("a condition of the theorem does not hold: ");
    } else {
      TruncatedConcentratedDp out = sampled.guarantee();
      assertThat(out.rho()).isBetween(13 * rate * rate * rho, 13 * rate * rate * rho * (1 + 1e-13));
      assertThat(out.omega())
          .isBetween(-Math.log(rate) / (4 * rho) * (1 - 1e-13), -Math.log(rate) / (4 * rho));
    }
  }

  /** 13·s² of ρ is more than 1 time of it from s = 0.28 on, where sampling would gain nothing. */
  @Property(tries = 100)
  void samplingThatApplies_costsLess(
      @ForAll @DoubleRange(min = -6, max = -1) double logRho,
      @ForAll @DoubleRange(min = -6, max = -1) double logRate) {
    double rho = Math.pow(10, logRho);
    double rate = Math.pow(10, logRate);
    SampledTcdp sampled = TruncatedConcentratedDp.of(rho, 1e12).sampled(rate);
    if (sampled.applies()) {
      assertThat(sampled.guarantee().rho()).isLessThan(rho / 7);
      assertThat(sampled.guarantee().omega()).isLessThan(sampled.omegaNeeded());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 2, Double.NaN})
  void aSamplingRateOutOfRange_isRefused(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.of(0.1, 5).sampled(rate))
        .withMessage("the sampling rate must be above 0 and below 1; was " + rate);
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "10, 10", "11, 10", "-1, 5"})
  void aBatchThatIsNone_isRefused(long batch, long rows) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PpsgdStep.of(0.1, batch, rows))
        .withMessage(
            "a batch must have at least 1 row and fewer than the %s rows; was %s"
                .formatted(rows, batch));
  }

  /** What a step may do, put back through the theorem, is within the step's budget. */
  @Property(tries = 300)
  void aStep_keepsItsBudgetByTheTheoremThatItIsMadeFrom(
      @ForAll @DoubleRange(min = -12, max = -4) double logRho,
      @ForAll @LongRange(min = 1, max = 1000) long batch,
      @ForAll @LongRange(min = 20_000, max = 10_000_000) long rows) {
    double budget = Math.pow(10, logRho);
    PpsgdStep step = PpsgdStep.of(budget, batch, rows);
    double rate = (double) batch / rows;
    assertThat(13 * rate * rate * step.rhoSample()).isBetween(budget * (1 - 1e-12), budget);
    // A mean of `batch` clipped gradients moves by 2/s: ρ of its noise is (2/s)²/(2·variance).
    double rhoOfNoise = 4 / ((double) batch * batch) / (2 * step.noiseVariance());
    assertThat(rhoOfNoise).isLessThanOrEqualTo(step.rhoSample() * (1 + 1e-15));
    assertThat(step.omegaStep()).isLessThanOrEqualTo(step.omegaSample() / 2);
    if (step.theoremApplies() && step.omegaStep() > 1) {
      SampledTcdp sampled =
          TruncatedConcentratedDp.of(step.rhoSample(), step.omegaSample() * (1 + 1e-12))
              .sampled(rate);
      assertThat(sampled.applies()).isTrue();
      assertThat(sampled.guarantee().rho()).isLessThanOrEqualTo(budget * (1 + 1e-12));
    }
    double omegaNeeded = step.omegaStep();
    assertThat(step.covers(TruncatedConcentratedDp.of(1, Math.max(1.1, omegaNeeded))))
        .isEqualTo(omegaNeeded >= 1.1);
  }

  /** Figures beyond doubles were NaN or infinite, and no error. */
  @ParameterizedTest
  @CsvSource({
    "1e300, 10, 1000000000, rho_s",
    "1e308, 1, 9000000000000000000, rho_s",
    "1e-311, 10, 1000, rho_s",
    "3.9e-317, 1, 100000, omega_s",
  })
  void aStepBeyondDoubles_isRefusedWithItsRuleAndItsValue(
      double rho, long batch, long rows, String what) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PpsgdStep.of(rho, batch, rows))
        .withMessageStartingWith(what)
        .withMessageContaining(" must be a normal double; was ")
        .withMessageEndingWith("for rho_t = %s, s = %s, m = %s".formatted(rho, batch, rows));
  }

  @Test
  void anOmegaBeyondDoubles_isTakenAsTheLargestOne() {
    SampledTcdp sampled = TruncatedConcentratedDp.of(1e-320, 5).sampled(1e-9);
    assertThat(sampled.omega()).isEqualTo(Double.MAX_VALUE);
    assertThat(sampled.applies()).isFalse();
    assertThat(sampled.rho()).isNotNegative();
  }

  /** The mechanism that ledgers keep has the same curve as the guarantee. */
  @ParameterizedTest
  @CsvSource({"0.1, 5, 1", "0.1, 5, 7", "2, 1.5, 3"})
  void aLedgersMechanism_hasTheGuaranteesCurve(double rho, double omega, long count) {
    RenyiCurve charged =
        RenyiDp.of(new TruncatedConcentrated(rho, omega, count), Adjacency.REPLACE_ONE).curve();
    for (double order : new double[] {1.1, 1.4, 2, 4.9}) {
      if (order < omega) {
        assertThat(charged.at(order))
            .isBetween(rho * order * count, rho * order * count * (1 + 1e-13));
      } else {
        assertThat(charged.at(order)).isInfinite();
      }
    }
    assertThat(charged.at(omega)).isInfinite();
  }
}
