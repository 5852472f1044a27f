package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.SubsampledTuning;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.FullBatch;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import java.util.Optional;

/** What a strategy cannot have beside it in a sweep. */
final class StrategyLimits {
  private StrategyLimits() {}

  /**
   * Notes what does not go together. Random stopping is one charge of one kind of run, of which
   * nothing but the best is told; a method that charges nothing has no run to keep.
   *
   * @param budget of the sweep, where it has one
   * @param hasMean whether the features have a private mean
   * @param hasRowCosts whether the sweep asks for what each row has cost
   */
  static void check(
      YamlSection search,
      SearchStrategy strategy,
      MethodDefinition method,
      Optional<Budget> budget,
      boolean hasMean,
      NoiseRule noise,
      boolean hasRowCosts) {
    if (!method.isCharged() && !(strategy instanceof TrialsThenFinal)) {
      refuse(search, strategy, method.name() + ", which has no charged run");
    }
    SearchedSettings.check(search, strategy, method, noise);
    if (!(strategy instanceof SecretTrials)) {
      return;
    }
    Optional<Double> least = budget.map(b -> SecretTrials.leastDelta(b.epsilon().value()));
    if (least.filter(delta -> budget.get().delta().value() < delta).isPresent()) {
      refuse(
          search,
          strategy,
          "a delta below "
              + PrintedNumber.up(least.get(), 2)
              + " at this epsilon: the law of the number of runs is drawn to 32 digits");
    }
    if (hasMean) {
      refuse(search, strategy, "a private-mean, which is a charge of its own");
    }
    if (noise.grid().isPresent()) {
      refuse(search, strategy, "noise on a grid, whose rounding its one charge does not name");
    }
    if (hasRowCosts) {
      refuse(search, strategy, "output.perInstance: its runs are secret");
    }
    if (strategy instanceof SubsampledTuning) {
      checkSamples(search, strategy, method, budget);
    }
  }

  /** A sample of rows is one mechanism under added or removed rows, and not of other data's. */
  private static void checkSamples(
      YamlSection search,
      SearchStrategy strategy,
      MethodDefinition method,
      Optional<Budget> budget) {
    if (!(method instanceof FullBatch)) {
      refuse(search, strategy, method.name() + ", which does not train on samples of the rows");
    }
    if (budget.filter(b -> b.adjacency() != Adjacency.ADD_REMOVE).isPresent()) {
      refuse(
          search,
          strategy,
          "adjacency: replace-one: what a sample costs is proved for added or removed rows");
    }
  }

  /** Only the training rows are sampled: others would be asked in full by every run. */
  static void refuseUnsampledScores(
      YamlSection search, SearchStrategy strategy, Optional<ScoreRule> score) {
    if (strategy instanceof SubsampledTuning
        && score
            .filter(rule -> rule instanceof ScoreRule.NoisyCount count && !count.onTraining())
            .isPresent()) {
      refuse(search, strategy, "a score on private validation rows, which no sample is taken of");
    }
  }

  /** The figure of a private test set is charged like a score, so there must be one. */
  static void refuseUnpricedTest(
      YamlSection data, Optional<SearchStrategy> strategy, Optional<ScoreRule> score) {
    if (strategy.filter(s -> s instanceof SecretTrials).isPresent()) {
      data.broken(
          "test",
          "must be public with "
              + strategy.get().name()
              + ": when its figure is charged would tell how many runs"
              + " there were",
          "private: true");
    } else if (score.filter(rule -> rule instanceof ScoreRule.None).isPresent()) {
      data.broken(
          "test", "must be public where the strategy is fixed: nothing is scored", "private: true");
    } else if (score.filter(rule -> !(rule instanceof ScoreRule.NoisyCount)).isPresent()) {
      data.broken(
          "test",
          "is private, so its figure is charged like a score: give search.score an epsilon",
          "private: true");
    }
  }

  /** What costs more than the sweep's budget is open to rows that need no protection alone. */
  static void refuseBeyondBudget(YamlSection search, SearchStrategy strategy, DataReader data) {
    boolean whole = strategy instanceof BestOf best && best.passesBudget();
    if (whole && !data.declared().isOpen()) {
      search.broken(
          strategy.name().equals("oracle") ? "strategy" : "budget",
          "spends the whole budget in every run, so data.private must be declared: public or"
              + " declared: simulated",
          strategy.name().equals("oracle") ? "oracle" : "whole");
    }
  }

  private static void refuse(YamlSection search, SearchStrategy strategy, String what) {
    search.broken("strategy", "must not be with " + what, strategy.name());
  }
}
