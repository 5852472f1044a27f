package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
  void aDeltaOfZeroOrOne_isNoBudget(double delta) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.ofBudget(Epsilon.of(1), Delta.of(delta)))
        .withMessage("delta must be above 0 and below 1; was " + delta);
  }

  @Test
  void aBudgetOfNothing_hasNoRho() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TruncatedConcentratedDp.ofBudget(Epsilon.of(0), DELTA))
        .withMessageContaining("rho must be finite and above 0");
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
    // The order at which ρα + L/(α − 1) is least, 1 + √(L/ρ), is below ω.
    assertThat(Math.sqrt(log)).isLessThanOrEqualTo((total.omega() - 1) * Math.sqrt(total.rho()));
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
        .isLessThanOrEqualTo((rho + 2 * Math.sqrt(rho * -Math.log(delta.value()))) * (1 + 1e-14));
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

  /**
   * Each condition of Theorem 4 where it begins; at a rate of 1/2 the logarithm's is at 0.03348.
   */
  @ParameterizedTest
  @CsvSource({
    // ρ, s in ten millions, which ones fail
    "0.01, 1000000, none",
    "0.01, 1000001, rate",
    "0.1, 20000, none",
    "0.1000001, 1000, rho",
    "0.1, 1000000, none",
    "0.05, 100000, none",
    "0.0334833, 5000000, rate",
    "0.0334835, 5000000, rate and log",
    "0.1, 5000000, rate and log",
  })
  void theConditions_failOneByOne(double rho, long batch, String failing) {
    double rate = batch / 1e7;
    PpsgdStep step = PpsgdStep.of(13 * rate * rate * rho, batch, 10_000_000);
    assertThat(step.rateIsSmall()).isEqualTo(!failing.contains("rate"));
    assertThat(step.rhoIsSmall()).isEqualTo(!failing.contains("rho"));
    assertThat(step.logIsLarge()).isEqualTo(!failing.contains("log"));
    assertThat(step.logIsLarge()).isEqualTo(-Math.log(rate) >= leastLog(rho));
    assertThat(step.theoremApplies()).isEqualTo(failing.equals("none"));
    double needed = -Math.log(rate) / (2 * rho);
    assertThat(step.omegaSample()).isBetween(needed * (1 - 1e-13), needed * (1 + 1e-13));
    assertThat(step.omegaStep()).isBetween(needed / 2 * (1 - 1e-13), needed / 2 * (1 + 1e-13));
  }

  private static double leastLog(double rho) {
    return 3 * rho * (2 - Math.log(rho) / Math.log(2));
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
      double log = -Math.log(rate);
      assertThat(Math.max(rate, step.rhoSample())).isLessThanOrEqualTo(0.1);
      assertThat(log).isGreaterThanOrEqualTo(leastLog(step.rhoSample()));
      assertThat(step.omegaSample() * (1 + 1e-12))
          .isGreaterThanOrEqualTo(log / (2 * step.rhoSample()));
      assertThat(step.omegaStep()).isLessThanOrEqualTo(log / (4 * step.rhoSample()) * (1 + 1e-12));
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
