package io.mutune.orchestrator.plan;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.NoisyCounts;
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
    charges.addAll(tests(sweep));
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
    charges.addAll(tests(sweep));
    return charges;
  }

  /** The score within each run of random stopping; empty where scoring is free. */
  static Optional<Charge> runScore(SweepDefinition sweep) {
    return scoreMechanism(sweep).map(score -> Question.RUN_SCORE.charge(score));
  }

  private static Optional<Gaussian> scoreMechanism(SweepDefinition sweep) {
    return sweep.score() instanceof ScoreRule.NoisyCount score
        ? Optional.of(
            sweep
                .metric()
                .mechanism(
                    mu(score, sweep.budget()),
                    sweep.budget().adjacency(),
                    sweep.train().loss(),
                    sweep.classes()))
        : Optional.empty();
  }

  /** A private test set has its rows counted, each family of counts at the price of a score. */
  private static List<Charge> tests(SweepDefinition sweep) {
    List<Charge> charges = new ArrayList<>();
    if (sweep.hasPrivateTest() && sweep.score() instanceof ScoreRule.NoisyCount score) {
      for (ScoreRule.TestCount test : score.test()) {
        Gaussian mechanism =
            NoisyCounts.mechanism(
                test.counts(sweep), mu(score, sweep.budget()), sweep.budget().adjacency());
        charges.add(Question.test(test).charge(mechanism));
      }
    }
    return charges;
  }

  private static Mu mu(ScoreRule.NoisyCount score, Budget budget) {
    return GaussianDp.ofBudget(score.epsilon(), budget.delta()).mu();
  }
}
