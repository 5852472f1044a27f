package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.pld.PldAccountant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the numerical composition answers where numbers end, and what it does not cover up. */
class LossDistributionRuleTest {
  private static final Rule RULE = new LossDistributionRule();
  private static final Delta DELTA = Delta.of(1e-5);

  /** Their counts together are beyond a long. */
  private static final Releases OVERFLOWING =
      Releases.of(
          Adjacency.ADD_REMOVE,
          new PureDp(Epsilon.of(1e-3), Long.MAX_VALUE),
          new PureDp(Epsilon.of(1e-3), 1));

  @Test
  void numbersThatOverflow_areAnAnswerThatSaysSo() {
    NotApplicable epsilon = (NotApplicable) RULE.epsilon(OVERFLOWING, DELTA);
    assertThat(epsilon.reason())
        .isEqualTo("the numerical composition breaks down here: long overflow");
    assertThat(RULE.delta(OVERFLOWING, Epsilon.of(1))).isEqualTo(epsilon);
    assertThat(Accountant.PLD.answer(OVERFLOWING, new EpsilonAt(DELTA))).isEqualTo(epsilon);
    assertThat(RULE.keeps(OVERFLOWING, Epsilon.of(1e300), DELTA)).isFalse();
  }

  /** A rule that is asked in spite of its own reason is our mistake, and no answer. */
  @Test
  void anyOtherException_isNotTakenForAnAnswer() {
    Mechanism concentrated = new TruncatedConcentrated(0.1, 100, 1);
    Releases releases = Releases.of(Adjacency.ADD_REMOVE, concentrated);
    String reason = PldAccountant.reasonAgainst(concentrated, Adjacency.ADD_REMOVE).orElseThrow();
    assertThatThrownBy(() -> RULE.epsilon(releases, DELTA))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(reason);
    // Asked in the proper way it says that reason, and keeps nothing.
    assertThat(RULE.unsuited(releases)).contains(reason);
    assertThat(Accountant.PLD.answer(releases, new EpsilonAt(DELTA)))
        .isEqualTo(new NotApplicable(reason));
    assertThat(RULE.keeps(releases, Epsilon.of(1e300), DELTA)).isFalse();
  }

  @Test
  void theFirstMechanismWithoutAPair_isTheReason() {
    Mechanism first = new TruncatedConcentrated(0.1, 100, 1);
    Releases releases = OVERFLOWING.plus(first).plus(new TruncatedConcentrated(0.2, 5, 1));
    assertThat(RULE.unsuited(releases))
        .isEqualTo(PldAccountant.reasonAgainst(first, Adjacency.ADD_REMOVE));
    assertThat(RULE.unsuited(OVERFLOWING)).isEmpty();
  }

  @Test
  void theDeltaOfAnEpsilon_isAnIntervalAsTheEpsilonOfADeltaIs() {
    Mechanism steps = new SubsampledGaussian(NoiseMultiplier.of(1), 0.01, 1, 1000);
    Bound bound = (Bound) RULE.delta(Releases.of(Adjacency.ADD_REMOVE, steps), Epsilon.of(1.8));
    assertThat(bound.lower()).isBetween(0.999 * bound.upper(), bound.upper());
    // Of a mechanism that costs less than its pair, the lower end is that of the others.
    Releases chosen =
        Releases.of(Adjacency.ADD_REMOVE, new ExponentialMechanism(Epsilon.of(0.5), 3));
    assertThat(((Bound) RULE.delta(chosen, Epsilon.of(0.5))).lower()).isZero();
    Bound both = (Bound) RULE.delta(chosen.plus(steps), Epsilon.of(1.8));
    assertThat(both.lower()).isEqualTo(bound.lower());
    assertThat(both.upper()).isGreaterThan(2 * bound.upper());
  }

  @Test
  void aFailureThatIsAllThatIsLeft_isBothEnds() {
    Mechanism failing = new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-6), 3);
    Bound bound = (Bound) RULE.delta(Releases.of(Adjacency.ADD_REMOVE, failing), Epsilon.of(1));
    double truth = 3e-6 - 3e-12 + 1e-18;
    assertThat(bound.lower()).isBetween(truth * (1 - 1e-8), truth);
    assertThat(bound.upper()).isBetween(truth, truth * (1 + 1e-8));
  }

  /** Next to no noise: an enormous ε, but one that is known. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1e-6})
  void nextToNoNoise_hasAnEnormousEpsilon(double sigma) {
    Releases releases =
        Releases.of(
            Adjacency.ADD_REMOVE, new SubsampledGaussian(NoiseMultiplier.of(sigma), 0.5, 1, 2));
    Bound bound = (Bound) RULE.epsilon(releases, DELTA);
    // Both samples have the row with probability 1/4 and are then one release of √2·μ: the event
    // costs ¼·δ′(ε + 2·ln 2). That of one sample is e^(−μ²/8) and nothing beside it.
    double mu = 1 / sigma;
    GaussianDp both = GaussianDp.of(Mu.of(Math.sqrt(2) * mu));
    double truth = both.epsilon(Delta.of(4 * DELTA.value())).value() - 2 * Math.log(2);
    assertThat(bound.lower()).isBetween(0.99 * truth, truth * (1 + 1e-12));
    // As OffGridTest has it for noise that is in use.
    assertThat(bound.upper()).isBetween(truth * (1 - 1e-12), truth * (1 + 1e-6));
    assertThat(RULE.keeps(releases, Epsilon.of(bound.upper() * 1.01), DELTA)).isTrue();
    assertThat(RULE.keeps(releases, Epsilon.of(mu), DELTA)).isFalse();
  }
}
