package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.RenyiDp;
import io.mutune.accountant.renyi.ZeroConcentratedDp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each accountant takes, what it answers, and what it says of what it does not take. */
class RulesTest {
  private static final Delta DELTA = Delta.of(1e-5);
  private static final Query EPSILON = new EpsilonAt(DELTA);
  private static final Gaussian GAUSSIAN = new Gaussian(NoiseMultiplier.of(10), 1, 4);
  private static final SubsampledGaussian SAMPLED =
      new SubsampledGaussian(NoiseMultiplier.of(2), 0.1, 1, 5);
  private static final PureDp PURE = new PureDp(Epsilon.of(0.1), 10);
  private static final ApproximateDp APPROXIMATE =
      new ApproximateDp(Epsilon.of(0.2), Delta.of(1e-6), 3);
  private static final RepeatAndSelect SELECTION =
      new RepeatAndSelect(GAUSSIAN, new PoissonTrials(4));

  private static Releases releases(Mechanism... mechanisms) {
    return Releases.of(Adjacency.ADD_REMOVE, mechanisms);
  }

  private static double upper(Accountant accountant, Query query, Mechanism... mechanisms) {
    return ((Bound) accountant.answer(releases(mechanisms), query)).upper();
  }

  private static String reason(Accountant accountant, Mechanism... mechanisms) {
    return ((NotApplicable) accountant.answer(releases(mechanisms), EPSILON)).reason();
  }

  @Test
  void gdp_takesWhatHasAMuAndSaysWhyNotOtherwise() {
    assertThat(upper(Accountant.GDP, EPSILON, GAUSSIAN, PURE)).isPositive();
    assertThat(reason(Accountant.GDP, GAUSSIAN, SAMPLED))
        .isEqualTo("a subsampled Gaussian has no closed form in GDP");
    assertThat(reason(Accountant.GDP, APPROXIMATE))
        .isEqualTo("what may fail with a probability delta is beyond every mu");
    assertThat(reason(Accountant.GDP, SELECTION))
        .isEqualTo("repeat-and-select:poisson:gaussian is accounted by pld and rdp only");
  }

  @Test
  void gdp_isTheClosedFormWithBothItsEnds() {
    GaussianDp total = GaussianDp.of(GAUSSIAN.mu().orElseThrow());
    assertThat(Accountant.GDP.answer(releases(GAUSSIAN), EPSILON))
        .isEqualTo(new Bound(total.epsilonAtMost(DELTA).value(), total.epsilon(DELTA).value()));
    Bound delta = (Bound) Accountant.GDP.answer(releases(GAUSSIAN), new DeltaAt(Epsilon.of(0.3)));
    assertThat(delta.upper()).isEqualTo(total.delta(Epsilon.of(0.3)).value());
    assertThat(delta.lower()).isCloseTo(delta.upper(), withinPercentage(1e-8));
  }

  @Test
  void gdp_knowsMixturesFromAboveOnly() {
    assertThat(((Bound) Accountant.GDP.answer(releases(GAUSSIAN, PURE), EPSILON)).lower()).isZero();
    assertThat(
            ((Bound) Accountant.GDP.answer(releases(PURE), new DeltaAt(Epsilon.of(0.3)))).lower())
        .isZero();
  }

  @Test
  void pld_isExactForGaussiansAndAnIntervalForOthers() {
    assertThat(Accountant.PLD.answer(releases(GAUSSIAN), EPSILON))
        .isEqualTo(Accountant.GDP.answer(releases(GAUSSIAN), EPSILON));
    Bound mixed = (Bound) Accountant.PLD.answer(releases(GAUSSIAN, SAMPLED, PURE), EPSILON);
    assertThat(mixed.lower()).isPositive().isLessThan(mixed.upper());
    assertThat(mixed.upper() - mixed.lower()).isLessThan(0.02 * mixed.upper());
  }

  @Test
  void pld_saysWhichMechanismItHasNoPairForUnderWhichAdjacency() {
    assertThat(reason(Accountant.PLD, GAUSSIAN, TruncatedConcentrated.ofZeroConcentrated(0.1, 1)))
        .isEqualTo(
            "zero-concentrated is known by its Rényi curve, and has no dominating pair under"
                + " add-remove");
    Releases replaced = Releases.of(Adjacency.REPLACE_ONE, new SubsampledLaplace(10, 0.1, 1, 2));
    assertThat(Accountant.PLD.answer(replaced, EPSILON))
        .isEqualTo(
            new NotApplicable(
                "no dominating pair is proved for subsampled-laplace under replace-one"));
    assertThat(Accountant.PLD.keeps(replaced, Epsilon.of(100), DELTA)).isFalse();
  }

  /** Whose squares and sampled losses are below all doubles: δ(0) = tanh(ε/4) of one response. */
  @ParameterizedTest
  @EnumSource(Accountant.class)
  void lossesThatVanish_areNotTakenForNone(Accountant accountant) {
    for (Mechanism tiny :
        new Mechanism[] {
          new PureDp(Epsilon.of(1e-170), 1_000_000),
          new Laplace(1e170, 1, 1_000_000),
          new ExponentialMechanism(Epsilon.of(1e-170), 1_000_000),
          new SubsampledLaplace(1e20, 1e-300, 1, 1),
          new SubsampledGaussian(NoiseMultiplier.of(1), 1e-300, 1, 1),
          new Gaussian(NoiseMultiplier.of(1e170), 1, 1)
        }) {
      if (accountant.answer(releases(tiny), new DeltaAt(Epsilon.of(0))) instanceof Bound delta) {
        assertThat(delta.upper()).as(tiny.toString()).isPositive();
      }
      if (accountant.answer(releases(tiny), new EpsilonAt(Delta.of(1e-323)))
          instanceof Bound epsilon) {
        assertThat(epsilon.upper()).as(tiny.toString()).isPositive();
      }
    }
  }

  @Test
  void theLeastDelta_leavesTheRulesOfOrdersNothing() {
    for (Accountant accountant : new Accountant[] {Accountant.ZCDP, Accountant.RDP}) {
      Answer answer = accountant.answer(releases(PURE), new EpsilonAt(Delta.of(Double.MIN_VALUE)));
      assertThat(answer).isInstanceOf(NotApplicable.class);
    }
  }

  /** Ten times 0.1: nothing is lost above 1, and less than certainty below. */
  @Test
  void pld_knowsThatBoundedLossesEnd() {
    assertThat(upper(Accountant.PLD, new DeltaAt(Epsilon.of(1.0001)), PURE)).isZero();
    assertThat(upper(Accountant.PLD, new DeltaAt(Epsilon.of(0.5)), PURE)).isBetween(0.0, 0.5);
    assertThat(upper(Accountant.PLD, new DeltaAt(Epsilon.of(5)), PURE, APPROXIMATE))
        .isCloseTo(3e-6, withinPercentage(1e-3))
        .isGreaterThanOrEqualTo(-Math.expm1(3 * Math.log1p(-1e-6)));
  }

  /** Its pair is the worst ε-DP one, which an exponential mechanism is not. */
  @Test
  void pld_hasALowerEndFromTheOthersWhereThereAreExponentialMechanisms() {
    ExponentialMechanism choice = new ExponentialMechanism(Epsilon.of(0.1), 10);
    Bound alone = (Bound) Accountant.PLD.answer(releases(choice), EPSILON);
    assertThat(alone.lower()).isZero();
    assertThat(alone.upper()).isEqualTo(upper(Accountant.PLD, EPSILON, PURE));
    Bound both = (Bound) Accountant.PLD.answer(releases(choice, GAUSSIAN), EPSILON);
    assertThat(both.lower())
        .isEqualTo(((Bound) Accountant.GDP.answer(releases(GAUSSIAN), EPSILON)).lower());
  }

  @Test
  void aDeltaThatIsExactlyTheFailure_isNotBelowIt() {
    ApproximateDp leak = new ApproximateDp(Epsilon.of(1), Delta.of(1e-5), 1);
    Bound bound = CombinedGuarantee.GUARANTEE.bound(releases(leak), EPSILON);
    assertThat(bound.upper()).isEqualTo(1);
    Bound below =
        CombinedGuarantee.GUARANTEE.bound(releases(leak), new EpsilonAt(Delta.of(0.99e-5)));
    assertThat(below.lower()).isInfinite();
  }

  @Test
  void rdp_addsCurvesOfAllKinds() {
    double all = upper(Accountant.RDP, EPSILON, GAUSSIAN, SAMPLED, PURE, SELECTION, APPROXIMATE);
    double some = upper(Accountant.RDP, EPSILON, GAUSSIAN, SAMPLED, PURE, SELECTION);
    assertThat(all).isGreaterThan(some);
    assertThat(some).isGreaterThan(upper(Accountant.RDP, EPSILON, GAUSSIAN, SAMPLED, PURE));
  }

  @Test
  void rdp_refusesADeltaWithinTheFailureAndSelectionsAmongFailing() {
    ApproximateDp leak = new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-4), 1);
    assertThat(reason(Accountant.RDP, leak))
        .startsWith("delta is not above the probability of failure, which is up to 1.0");
    RepeatAndSelect failing = new RepeatAndSelect(leak, new PoissonTrials(2));
    String reason = "random stopping is not proved for runs that may fail";
    assertThat(reason(Accountant.RDP, failing)).isEqualTo(reason);
    assertThat(reason(Accountant.RDP, new RepeatAndSelect(failing, new PoissonTrials(2))))
        .isEqualTo(reason);
  }

  @Test
  void rdp_takesChargesThatAreAlikeTogether() {
    assertThat(upper(Accountant.RDP, EPSILON, SAMPLED, SAMPLED, SAMPLED))
        .isCloseTo(
            upper(
                Accountant.RDP, EPSILON, new SubsampledGaussian(NoiseMultiplier.of(2), 0.1, 1, 15)),
            withinPercentage(1e-8));
  }

  /** ρ = μ²/2 = 0.02, 10·0.1²/2 = 0.05, 10·0.1²/8 = 0.0125 and 3·0.01 = 0.03. */
  @Test
  void zcdp_addsRhos() {
    Mechanism choice = new ExponentialMechanism(Epsilon.of(0.1), 10);
    Mechanism concentrated = TruncatedConcentrated.ofZeroConcentrated(0.01, 3);
    double expected =
        RenyiDp.of(ZeroConcentratedDp.of(0.02 + 0.05 + 0.0125 + 0.03).curve())
            .epsilon(DELTA)
            .value();
    assertThat(upper(Accountant.ZCDP, EPSILON, GAUSSIAN, PURE, choice, concentrated))
        .isCloseTo(expected, withinPercentage(1e-9));
  }

  @Test
  void zcdp_saysWhatHasNoRho() {
    assertThat(reason(Accountant.ZCDP, SAMPLED)).isEqualTo("zCDP is not amplified by sampling");
    assertThat(reason(Accountant.ZCDP, APPROXIMATE))
        .isEqualTo("what may fail with a probability delta has no rho");
    assertThat(reason(Accountant.ZCDP, SELECTION))
        .isEqualTo("repeat-and-select:poisson:gaussian is accounted by pld and rdp only");
    assertThat(reason(Accountant.ZCDP, new TruncatedConcentrated(0.01, 9, 1)))
        .isEqualTo("tCDP with a finite omega is not zCDP");
  }

  @Test
  void truncatedConcentration_isForRenyiOnlyAndRefusedByName() {
    TruncatedConcentrated charge = new TruncatedConcentrated(0.01, 9, 2);
    assertThat(upper(Accountant.RDP, EPSILON, charge)).isPositive();
    for (Accountant accountant :
        new Accountant[] {Accountant.GDP, Accountant.ADVANCED, Accountant.BASIC}) {
      assertThat(reason(accountant, charge))
          .isEqualTo("truncated-concentrated is accounted in Rényi divergences only");
    }
  }

  @Test
  void basic_addsPureEpsilons() {
    assertThat(upper(Accountant.BASIC, EPSILON, PURE, new Laplace(10, 1, 5)))
        .isCloseTo(1.5, withinPercentage(1e-12))
        .isGreaterThanOrEqualTo(1.5);
    assertThat(upper(Accountant.BASIC, EPSILON, new RandomizedResponse(Epsilon.of(3), 1)))
        .isEqualTo(3);
  }

  /** Four releases share what 3e-6 of failures leave of 1e-5. */
  @Test
  void basic_sharesDeltaEvenlyAmongGaussianReleases() {
    double one = GaussianDp.of(Mu.of(0.1)).epsilon(Delta.of((1e-5 - 3e-6) / 4)).value();
    assertThat(upper(Accountant.BASIC, EPSILON, GAUSSIAN, APPROXIMATE))
        .isCloseTo(4 * one + 3 * 0.2, withinPercentage(1e-8));
  }

  /** Five on a tenth of the rows: δ/5 each, which the sample makes ten times larger. */
  @Test
  void basic_amplifiesSampledReleases() {
    double whole = GaussianDp.of(Mu.of(0.5)).epsilon(Delta.of(1e-5 / 5 / 0.1)).value();
    assertThat(upper(Accountant.BASIC, EPSILON, SAMPLED))
        .isCloseTo(5 * Math.log1p(0.1 * Math.expm1(whole)), withinPercentage(1e-8));
  }

  @Test
  void aShareBeyondTheRate_costsNoEpsilon() {
    SubsampledGaussian rare = new SubsampledGaussian(NoiseMultiplier.of(1), 1e-7, 1, 10);
    assertThat(upper(Accountant.BASIC, EPSILON, rare)).isZero();
  }

  @Test
  void basic_refusesADeltaBelowTheFailuresAndTakesOneThatIsEqual() {
    assertThat(
            ((NotApplicable)
                    Accountant.BASIC.answer(releases(APPROXIMATE), new EpsilonAt(Delta.of(2.9e-6))))
                .reason())
        .isEqualTo("delta is below the sum of the releases' own deltas");
    ApproximateDp once = new ApproximateDp(Epsilon.of(0.2), Delta.of(1e-6), 1);
    assertThat(upper(Accountant.BASIC, new EpsilonAt(Delta.of(1e-6)), once)).isEqualTo(0.2);
    assertThat(reason(Accountant.BASIC, GAUSSIAN, SELECTION))
        .endsWith(" is accounted by pld and rdp only");
  }

  @Test
  void gaussianReleasesWithoutAShare_areRefused() {
    ApproximateDp leak = new ApproximateDp(Epsilon.of(0.2), Delta.of(1e-5), 1);
    assertThat(reason(Accountant.BASIC, leak, GAUSSIAN)).startsWith("delta ");
    assertThat(
            Accountant.ADVANCED.answer(
                releases(new Gaussian(NoiseMultiplier.of(1e6), 1, 1_000_000_000)),
                new EpsilonAt(Delta.of(1e-300))))
        .isEqualTo(new NotApplicable("delta leaves the Gaussian releases no share"));
  }

  /** 10 times 0.1: 10·0.1·tanh(0.05) + √(2·10·0.01·ln 1e5). */
  @Test
  void advanced_isTheThirdTermOfTheTheorem() {
    double expected = Math.tanh(0.05) + Math.sqrt(2 * 10 * 0.01 * Math.log(1e5));
    assertThat(upper(Accountant.ADVANCED, EPSILON, PURE))
        .isCloseTo(expected, withinPercentage(1e-9))
        .isGreaterThanOrEqualTo(expected);
  }

  @Test
  void advanced_beatsBasicForManySmallReleasesAndNotForFew() {
    PureDp many = new PureDp(Epsilon.of(0.001), 100_000);
    assertThat(upper(Accountant.ADVANCED, EPSILON, many))
        .isLessThan(upper(Accountant.BASIC, EPSILON, many));
    assertThat(upper(Accountant.ADVANCED, EPSILON, PURE))
        .isGreaterThan(upper(Accountant.BASIC, EPSILON, PURE));
  }

  @Test
  void advanced_needsSlackBeyondTheFailures() {
    assertThat(
            ((NotApplicable)
                    Accountant.ADVANCED.answer(
                        releases(APPROXIMATE), new EpsilonAt(Delta.of(3e-6))))
                .reason())
        .isEqualTo("delta is not above the sum of the releases' own deltas");
  }

  @ParameterizedTest
  @EnumSource(
      value = Accountant.class,
      names = {"ADVANCED", "BASIC"})
  void theDeltaOfAnOlderRule_isTheSmallestThatKeepsEpsilon(Accountant accountant) {
    Releases releases = releases(GAUSSIAN, APPROXIMATE);
    Epsilon epsilon = Epsilon.of(3);
    double delta = ((Bound) accountant.answer(releases, new DeltaAt(epsilon))).upper();
    assertThat(delta).isBetween(3e-6, 0.9);
    assertThat(accountant.keeps(releases, epsilon, Delta.of(delta))).isTrue();
    assertThat(accountant.keeps(releases, epsilon, Delta.of(3e-6 + (delta - 3e-6) * 0.999)))
        .isFalse();
  }

  @Test
  void basicDeltaOfPureReleases_isAllOrNothing() {
    assertThat(upper(Accountant.BASIC, new DeltaAt(Epsilon.of(1.01)), PURE)).isZero();
    assertThat(upper(Accountant.BASIC, new DeltaAt(Epsilon.of(0.99)), PURE)).isEqualTo(1);
    assertThat(upper(Accountant.BASIC, new DeltaAt(Epsilon.of(1)), APPROXIMATE))
        .isCloseTo(3e-6, within(1e-15));
    ApproximateDp certain = new ApproximateDp(Epsilon.of(0.1), Delta.of(0.5), 3);
    assertThat(upper(Accountant.BASIC, new DeltaAt(Epsilon.of(1)), certain)).isEqualTo(1);
    assertThat(upper(Accountant.ADVANCED, new DeltaAt(Epsilon.of(1)), certain)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Accountant.class)
  void lossesBeyondAllUse_areKnownToBeNothingMoreThanFinite(Accountant accountant) {
    Mechanism[] huge = {
      new Gaussian(NoiseMultiplier.of(1e-120), 1, 1),
      new PureDp(Epsilon.of(1e200), 5),
      new SubsampledGaussian(NoiseMultiplier.of(1e-110), 1, 1, 2)
    };
    for (Mechanism mechanism : huge) {
      assertThat(accountant.answer(releases(mechanism), EPSILON))
          .isEqualTo(new Bound(0, Double.POSITIVE_INFINITY));
      assertThat(accountant.answer(releases(mechanism), new DeltaAt(Epsilon.of(1))))
          .isEqualTo(new Bound(0, 1));
      assertThat(accountant.keeps(releases(mechanism), Epsilon.of(1e6), DELTA)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Accountant.class)
  void anEpsilonBeyondAllUse_isAskedForAsALargeOne(Accountant accountant) {
    double delta = upper(accountant, new DeltaAt(Epsilon.of(1e300)), PURE);
    assertThat(delta).isBetween(0.0, 1e-200);
  }

  @ParameterizedTest
  @CsvSource({"GDP, 0.5", "PLD, 0.5", "RDP, 0.5", "ZCDP, 0.5", "ADVANCED, 3", "BASIC, 3"})
  void keeping_isHavingAnUpperEndWithinEpsilon(Accountant accountant, double epsilon) {
    Releases releases = releases(new Gaussian(NoiseMultiplier.of(20), 1, 4));
    double upper = ((Bound) accountant.answer(releases, EPSILON)).upper();
    assertThat(accountant.keeps(releases, Epsilon.of(upper * (1 + 1e-9)), DELTA)).isTrue();
    assertThat(accountant.keeps(releases, Epsilon.of(upper * (1 - 1e-9)), DELTA)).isFalse();
    assertThat(accountant.keeps(releases, Epsilon.of(epsilon), DELTA)).isEqualTo(upper <= epsilon);
    assertThat(accountant.keeps(releases, Epsilon.of(100), Delta.of(0))).isFalse();
  }

  @Test
  void releases_keepTheirOrderAndTakeMore() {
    Releases two = releases(GAUSSIAN).plus(PURE);
    assertThat(two.mechanisms()).containsExactly(GAUSSIAN, PURE);
    assertThat(two.adjacency()).isEqualTo(Adjacency.ADD_REMOVE);
    assertThat(two.areGaussian()).isFalse();
    assertThat(releases(GAUSSIAN, new SubsampledGaussian(NoiseMultiplier.of(1), 1, 1, 1)))
        .extracting(Releases::areGaussian)
        .isEqualTo(true);
  }
}
