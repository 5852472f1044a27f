package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Optional;

/** What a strategy cannot have beside it in a sweep. */
final class StrategyLimits {
  private StrategyLimits() {}

  /**
   * Notes what does not go together. Random stopping is one charge of one kind of run, of which
   * nothing but the best is told; a method that charges nothing has no run to keep.
   */
  static void checkCharge(Draft draft) {
    if (draft.strategy().isEmpty() || draft.train().isEmpty()) {
      return;
    }
    SearchStrategy strategy = draft.strategy().get();
    TrainingMethod method = draft.train().get().method();
    if (!method.isCharged() && !(strategy instanceof TrialsThenFinal)) {
      refuse(draft, method.name() + ", which has no charged run");
    }
    if (!strategy.isSecret()) {
      return;
    }
    Optional<Double> least = draft.budget().map(b -> SecretTrials.leastDelta(b.epsilon().value()));
    if (least.filter(delta -> draft.budget().get().delta().value() < delta).isPresent()) {
      refuse(
          draft,
          "a delta below "
              + PrintedNumber.up(least.get(), 2)
              + " at this epsilon: the law of the number of runs is drawn to 32 digits");
    }
    if (draft.features().mean().isPresent()) {
      refuse(draft, "a private-mean, which is a charge of its own");
    }
    if (draft.noise().grid().isPresent()) {
      refuse(draft, "noise on a grid, whose rounding its one charge does not name");
    }
    if (draft.hasRowCosts()) {
      refuse(draft, "output.perInstance: its runs are secret");
    }
    if (strategy.sampleRate() < 1) {
      checkSamples(draft, method);
    }
  }

  /**
   * More models follow from one tuning where the plan is in shares of μ and a final run follows.
   */
  static void checkReleases(Draft draft) {
    if (draft.releases().isEmpty() || draft.strategy().isEmpty() || draft.train().isEmpty()) {
      return;
    }
    SearchStrategy strategy = draft.strategy().get();
    TrainingMethod method = draft.train().get().method();
    if (!(strategy instanceof TrialsThenFinal)) {
      refuse(draft, "budget.releases: no final run follows its runs");
    }
    if (!method.isCharged() || method.needs(Need.FIXED_PLAN)) {
      refuse(
          draft,
          "budget.releases and %s: each release needs a run that is charged by its mu, over all rows"
              .formatted(method.name()));
    }
    if (draft.hasRowCosts()) {
      refuse(draft, "budget.releases and output.perInstance together");
    }
  }

  /** A sample of rows is one mechanism under added or removed rows, and not of other data's. */
  private static void checkSamples(Draft draft, TrainingMethod method) {
    if (!method.trainsOnSamples()) {
      refuse(draft, method.name() + ", which does not train on samples of the rows");
    }
    if (draft.budget().filter(b -> b.adjacency() != Adjacency.ADD_REMOVE).isPresent()) {
      refuse(
          draft, "adjacency: replace-one: what a sample costs is proved for added or removed rows");
    }
  }

  /** Only the training rows are sampled: others would be asked in full by every run. */
  static void refuseUnsampledScores(Draft draft) {
    if (draft.strategy().filter(strategy -> strategy.sampleRate() < 1).isPresent()
        && draft
            .score()
            .filter(rule -> rule instanceof ScoreRule.NoisyCount count && !count.onTraining())
            .isPresent()) {
      refuse(draft, "a score on private validation rows, which no sample is taken of");
    }
  }

  /** The figure of a private test set is charged like a score, so there must be one. */
  static void refuseUnpricedTest(Draft draft) {
    if (draft.data().isEmpty() || !draft.rows().isPrivate("test").orElse(false)) {
      return;
    }
    YamlSection data = draft.data().get();
    Optional<ScoreRule> score = draft.score();
    if (draft.strategy().filter(SearchStrategy::isSecret).isPresent()) {
      data.broken(
          "test",
          "must be public with "
              + draft.strategy().get().name()
              + ": when its figure is charged would tell how many runs"
              + " there were",
          "private: true");
    } else if (score.filter(rule -> rule instanceof ScoreRule.None).isPresent()) {
      String key = data.has("test") ? "test" : "holdOut";
      data.note(
          data.lineOf(key).orElse(0),
          data.name(key)
              + " has private test rows, whose figure is charged like a score, and nothing is scored"
              + " here: search trials with sweeps and score: {on: private, epsilon: 0.02}");
    } else if (score.filter(rule -> !(rule instanceof ScoreRule.NoisyCount)).isPresent()) {
      data.broken(
          "test",
          "is private, so its figure is charged like a score: give search.score an epsilon",
          "private: true");
    }
  }

  /** What costs more than the sweep's budget is open to rows that need no protection alone. */
  static void refuseBeyondBudget(Draft draft) {
    refuseBeyondBudget(draft, draft.rows().declared().isOpen());
  }

  /** To those beside data.private likewise. */
  static void refuseOthersBeyondBudget(Draft draft) {
    refuseBeyondBudget(draft, draft.rows().isOpen() || !draft.rows().declared().isOpen());
  }

  private static void refuseBeyondBudget(Draft draft, boolean open) {
    if (!open && draft.strategy().filter(SearchStrategy::passesBudget).isPresent()) {
      boolean oracle = draft.strategy().get().name().equals("oracle");
      draft
          .search()
          .orElseThrow()
          .broken(
              oracle ? "strategy" : "budget",
              "spends the whole budget in every run, so data.private must be declared: public or"
                  + " declared: simulated, and no other part be private",
              oracle ? "oracle" : "whole");
    }
  }

  private static void refuse(Draft draft, String what) {
    String strategy = draft.strategy().orElseThrow().name();
    draft.search().orElseThrow().broken("strategy", "must not be with " + what, strategy);
  }
}
