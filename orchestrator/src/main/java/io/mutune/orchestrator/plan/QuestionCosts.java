package io.mutune.orchestrator.plan;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.score.NoisyConfusion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The charges of a sweep's mean, trials and scores, whatever the final run may then cost. */
final class QuestionCosts {
  private QuestionCosts() {}

  /**
   * Every charge but the final run's, in order, the mean's first and the test's last.
   *
   * @param training the charge of a trial's training
   */
  static List<Charge> beforeFinal(
      SweepDefinition sweep, List<PlannedTrial> trials, Function<PlannedTrial, Charge> training) {
    List<Charge> charges = new ArrayList<>();
    mean(sweep).ifPresent(charges::add);
    for (PlannedTrial trial : trials) {
      charges.add(training.apply(trial));
      scoreMechanism(sweep)
          .ifPresent(score -> charges.add(Question.score(trial.number()).charge(score)));
    }
    testMechanism(sweep).ifPresent(test -> charges.add(Question.TEST.charge(test)));
    return charges;
  }

  private static Optional<Charge> mean(SweepDefinition sweep) {
    return sweep.data().mean().map(mean -> Question.MEAN.charge(mean.mechanism(sweep)));
  }

  /** The mean, the scores of so many runs and the test's figure. */
  static List<Charge> withoutTraining(SweepDefinition sweep, int runs) {
    List<Charge> charges = new ArrayList<>();
    mean(sweep).ifPresent(charges::add);
    for (int run = 1; run <= runs; run++) {
      Question question = Question.score(run);
      scoreMechanism(sweep).ifPresent(score -> charges.add(question.charge(score)));
    }
    testMechanism(sweep).ifPresent(test -> charges.add(Question.TEST.charge(test)));
    return charges;
  }

  /** The score within each run of random stopping; empty where scoring is free. */
  static Optional<Charge> runScore(SweepDefinition sweep) {
    return scoreMechanism(sweep).map(score -> Question.RUN_SCORE.charge(score));
  }

  private static Optional<Gaussian> scoreMechanism(SweepDefinition sweep) {
    return sweep.score() instanceof ScoreRule.NoisyCount score
        ? Optional.of(mechanism(score, sweep.metric(), sweep.budget()))
        : Optional.empty();
  }

  /** A private test set has its rows counted, at the price of a trial's score. */
  private static Optional<Gaussian> testMechanism(SweepDefinition sweep) {
    boolean isPrivate = sweep.data().test().map(DataSource::isPrivate).orElse(false);
    return isPrivate && sweep.score() instanceof ScoreRule.NoisyCount score
        ? Optional.of(testMechanism(score, sweep.budget()))
        : Optional.empty();
  }

  private static Gaussian mechanism(ScoreRule.NoisyCount score, Metric metric, Budget budget) {
    return metric.mechanism(mu(score, budget), budget.adjacency());
  }

  private static Gaussian testMechanism(ScoreRule.NoisyCount score, Budget budget) {
    return switch (score.test()) {
      case ACCURACY -> mechanism(score, Metric.ACCURACY, budget);
      case CONFUSION -> NoisyConfusion.mechanism(mu(score, budget), budget.adjacency());
    };
  }

  private static Mu mu(ScoreRule.NoisyCount score, Budget budget) {
    return GaussianDp.ofBudget(score.epsilon(), budget.delta()).mu();
  }
}
