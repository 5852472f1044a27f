package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetExceededException;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.ScaleFree;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class StudyPlanTest {
  private static final TrialPoint POINT = new TrialPoint(1, 100);

  private static StudyPlan linear(double epsilon, String adjacency) {
    String text =
        Sweeps.edited(
            Sweeps.LINEAR, "epsilon: 1.0", String.format(Locale.ROOT, "epsilon: %s", epsilon));
    return StudyPlan.of(Sweeps.read(Sweeps.edited(text, "replace-one", adjacency)));
  }

  /** Every charge of a study whose final run takes so many steps. */
  private static List<Charge> all(StudyPlan plan, int steps) {
    List<Charge> charges = new ArrayList<>();
    for (PlannedTrial trial : plan.trials()) {
      charges.add(plan.trialCharge(trial));
      plan.scoreCharge(trial).ifPresent(charges::add);
    }
    charges.add(plan.finalCharge(new TrialPoint(1, steps)));
    charges.addAll(plan.testCharges());
    return charges;
  }

  private static double composed(List<Charge> charges) {
    return GaussianDp.compose(
            charges.stream().map(c -> GaussianDp.of(c.mechanism().mu().orElseThrow())).toList())
        .mu()
        .value();
  }

  /** The numbers of the linear scaling paper's Table 13 as the project's notes recomputed them. */
  @Example
  void threeTrialsAtEachOfTwoLevels_leaveTheShareOfTheGoldenNumbers() {
    StudyPlan plan = linear(0.9963386, "add-remove");

    assertThat(plan.trials())
        .extracting(trial -> trial.mu().value())
        .satisfies(
            mus -> {
              // Seven digits are given, so half a unit of the last.
              assertThat(mus.subList(0, 3)).allSatisfy(mu -> near(mu, 0.0325208, 5e-8));
              assertThat(mus.subList(3, 6)).allSatisfy(mu -> near(mu, 0.0613341, 5e-8));
            });
    near(plan.target().epsilon().value(), 0.88, 5e-7);
    near(plan.target().mu().value(), 0.2385677, 2e-7);
    near(composed(all(plan, 70)), 0.2671572, 5e-8);
  }

  private static void near(double actual, double expected, double tolerance) {
    assertThat(actual).isCloseTo(expected, within(tolerance));
  }

  private static double finalSigma(StudyPlan plan, int steps) {
    return plan.sigma(plan.finalCharge(new TrialPoint(1, steps))).orElseThrow();
  }

  @Example
  void theSameSweep_givesTheSamePlan() {
    StudyPlan one = StudyPlan.of(Sweeps.read(Sweeps.LINEAR));
    StudyPlan other = StudyPlan.of(Sweeps.read(Sweeps.LINEAR));

    assertThat(one.trials()).isEqualTo(other.trials()).hasSize(6);
    assertThat(one.charges()).isEqualTo(other.charges());
    assertThat(all(one, 70)).isEqualTo(all(other, 70));
  }

  @Example
  void planning_readsNoData() {
    for (String text : List.of(Sweeps.LINEAR, Sweeps.SCALE_FREE, Sweeps.FIXED)) {
      SweepDefinition sweep = Sweeps.read(text);
      assertThat(Files.exists(sweep.data().training().spec().file())).isFalse();

      assertThat(StudyPlan.of(sweep).charges()).isNotEmpty();
    }
  }

  @Property(tries = 300)
  void everyChargeTogether_neverPassesTheBudgetAndUsesItUp(
      @ForAll @DoubleRange(min = -2, max = 1.5) double logEpsilon,
      @ForAll @DoubleRange(min = -12, max = -2) double logDelta,
      @ForAll @Size(min = 1, max = 4) List<@DoubleRange(min = 0.01, max = 0.6) Double> shares,
      @ForAll @IntRange(min = 1, max = 6) int trials,
      @ForAll @IntRange(min = 1, max = 100_000) int steps,
      @ForAll Adjacency adjacency,
      @ForAll boolean chargedScores,
      @ForAll boolean privateTest) {
    Budget budget =
        new Budget(
            Epsilon.of(Math.pow(10, logEpsilon)), Delta.of(Math.pow(10, logDelta)), adjacency);
    List<SweepRound> rounds =
        shares.stream()
            .map(share -> new SweepRound(Epsilon.of(share * budget.epsilon().value()), trials))
            .toList();
    Epsilon scoreEpsilon = Epsilon.of(0.02 * budget.epsilon().value());
    SweepDefinition sweep =
        sweep(budget, rounds, steps, chargedScores, privateTest && chargedScores, scoreEpsilon);
    double cap = budget.cap().mu().value();

    StudyPlan plan;
    try {
      plan = StudyPlan.of(sweep);
    } catch (BudgetExceededException e) {
      // Refused only where less than a thousandth of μ is left; 1e-9 is for the doubles here.
      assertThat(e.spent().mu().value() * e.spent().mu().value() + squared(e.asked()))
          .isGreaterThan(cap * cap * (1 - 1e-6) * (1 - 1e-9));
      return;
    }

    double total = composed(all(plan, steps));
    assertThat(total).isLessThanOrEqualTo(cap);
    assertThat(total * total).isGreaterThanOrEqualTo(cap * cap * (1 - 1e-6));
    assertThat(GaussianDp.of(Mu.of(total)).epsilon(budget.delta()).value())
        .isLessThanOrEqualTo(budget.epsilon().value());
  }

  private static double squared(GaussianDp part) {
    return part.mu().value() * part.mu().value();
  }

  private static SweepDefinition sweep(
      Budget budget,
      List<SweepRound> rounds,
      int steps,
      boolean chargedScores,
      boolean privateTest,
      Epsilon scoreEpsilon) {
    SweepDefinition base = Sweeps.read(Sweeps.SCALE_FREE);
    SweepData data = base.data();
    DataSource test = new DataSource(data.training().spec(), OptionalLong.of(100), true);
    return new SweepDefinition(
        base.name(),
        base.description(),
        new SweepData(
            data.training(),
            data.declared(),
            data.publicRows(),
            data.validation(),
            privateTest ? Optional.of(test) : Optional.empty(),
            data.features(),
            data.mean(),
            data.featureCache(),
            data.confirmed(),
            data.unit()),
        budget,
        List.of(),
        new ScaleFree(RunScale.USUAL_NOISE, steps, rounds),
        chargedScores
            ? new ScoreRule.NoisyCount(scoreEpsilon, true)
            : new ScoreRule.PublicValidation(),
        base.metric(),
        base.train(),
        new RunSettings(1, base.run().noise()),
        base.output(),
        base.schedule(),
        base.account(),
        base.card());
  }

  @Example
  void replacingARow_movesASumTwiceAsFarAndACountJustAsFar() {
    StudyPlan addRemove = linear(1, "add-remove");
    StudyPlan replaceOne = linear(1, "replace-one");

    assertThat(replaceOne.target()).isEqualTo(addRemove.target());
    // σ is rounded up to a double in both.
    near(finalSigma(replaceOne, 100) / finalSigma(addRemove, 100), 2, 1e-12);
    Gaussian trained = (Gaussian) replaceOne.finalCharge(POINT).mechanism();
    assertThat(trained.sensitivity()).isEqualTo(2);
    assertThat(trained.count()).isEqualTo(100);
    assertThat(((Gaussian) addRemove.finalCharge(POINT).mechanism()).sensitivity()).isEqualTo(1);

    String text =
        Sweeps.edited(Sweeps.SCALE_FREE, "delta: 1.0e-5", "delta: 1.0e-5, adjacency: replace-one");
    StudyPlan scored = StudyPlan.of(Sweeps.read(text));
    PlannedTrial first = scored.trials().get(0);
    assertThat(scored.scoreCharge(first).orElseThrow().mechanism())
        .isEqualTo(
            StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE))
                .scoreCharge(first)
                .orElseThrow()
                .mechanism());
  }

  @Example
  void trialsOverTheBudget_areRefusedAndTheNumbersNamed() {
    SweepDefinition sweep =
        Sweeps.read(Sweeps.edited(Sweeps.LINEAR, "epsilon: 1.0", "epsilon: 0.3"));

    // Three at 0.0325208 and three at 0.0613341 are μ 0.120244 and ε 0.42.
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> StudyPlan.of(sweep))
        .withMessageMatching(
            "over budget: asked for epsilon 0\\.4\\d+ \\(mu 0\\.12024\\d*\\) with epsilon 0 \\(mu 0\\)"
                + " spent and epsilon 0\\.(3|29999\\d*) \\(mu 0\\.08\\d+\\) left of epsilon 0\\.3"
                + " \\(mu 0\\.08\\d+\\) at delta \\S+; squares of mu add up, .*");
  }

  @Example
  void trialsThatLeaveNothingForTheFinalRun_areRefused() {
    String text =
        Sweeps.edited(Sweeps.SCALE_FREE, "{epsilon: 0.2, trials: 3}", "{epsilon: 1, trials: 1}");
    text = Sweeps.edited(text, "rows: 10000}", "rows: 10000}\n  validation: {path: public.libsvm}");
    SweepDefinition sweep =
        Sweeps.read(Sweeps.edited(text, "{on: private, epsilon: 0.02}", "{on: validation}"));

    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> StudyPlan.of(sweep))
        .withMessageContaining("spent")
        .satisfies(e -> assertThat(e.left().mu().value()).isLessThan(1e-3 * 0.27));
  }

  @Example
  void charges_standInTheOrderInWhichTheyAreMade() {
    String text =
        Sweeps.edited(
            Sweeps.SCALE_FREE,
            "rows: 10000}",
            "rows: 10000}\n  test: {path: b.libsvm, private: true, rows: 500}");

    StudyPlan plan = StudyPlan.of(Sweeps.read(text));

    assertThat(plan.charges())
        .extracting(PlannedCharge::what)
        .containsExactly(
            "trial 1",
            "score 1",
            "trial 2",
            "score 2",
            "trial 3",
            "score 3",
            "final",
            "test score");
    assertThat(plan.charges())
        .allSatisfy(
            charge ->
                assertThat(charge.epsilon())
                    .isEqualTo(GaussianDp.of(charge.mu().orElseThrow()).epsilon(Delta.of(1e-5))));
  }

  @Example
  void aPlan_foreseesItsOwnChargesAndNoOther() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(Sweeps.SCALE_FREE));

    assertThat(all(plan, 70)).allMatch(plan::foresees);
    Charge trial = plan.trialCharge(plan.trials().get(0));
    assertThat(plan.foresees(new Charge("trial 9", trial.mechanism()))).isFalse();
    assertThat(plan.foresees(new Charge("score 1", trial.mechanism()))).isFalse();
    double sigma = finalSigma(plan, 70);
    assertThat(plan.foresees(new Charge("final", run(sigma * 0.999)))).isFalse();
    assertThat(plan.foresees(new Charge("final", run(sigma)))).isTrue();
  }

  private static Gaussian run(double sigma) {
    return new Gaussian(NoiseMultiplier.of(sigma), 1, 70);
  }

  @Example
  void withoutTrials_theWholeBudgetGoesToTheFinalRun() {
    StudyPlan plan = StudyPlan.of(Sweeps.read(Sweeps.FIXED));

    assertThat(plan.trials()).isEmpty();
    assertThat(plan.charges()).extracting(PlannedCharge::what).containsExactly("final");
    double cap = plan.sweep().budget().cap().mu().value();
    assertThat(plan.target().mu().value()).isBetween(cap * (1 - 1e-6), cap);
  }
}
