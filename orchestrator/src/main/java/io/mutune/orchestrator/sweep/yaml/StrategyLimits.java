package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SearchLimits;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Optional;
import java.util.stream.Stream;

/** What a strategy cannot have beside it in a sweep. */
final class StrategyLimits {
  private StrategyLimits() {}

  /** Notes what the search cannot have beside it. */
  static void checkSearch(Draft draft) {
    if (draft.strategy().isEmpty() || draft.train().isEmpty()) {
      return;
    }
    YamlSection search = draft.search().orElseThrow();
    SearchStrategy strategy = draft.strategy().get();
    TrainingMethod method = draft.train().get().method();
    new SearchLimits(
            strategy,
            method,
            draft.budget(),
            draft.score(),
            draft.features().mean().isPresent(),
            draft.noise().grid().isPresent(),
            draft.hasRowCosts(),
            draft.rows().unit().isPresent())
        .breaches()
        .forEach(breach -> search.broken(breach.key(), breach.rule(), breach.was()));
    if (method.searched() == Searched.NOTHING
        && strategy.name().equals("fixed")
        && search.has("space")) {
      search.broken(
          "space", "must be left out with " + method.name() + ", whose settings are in train");
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
          "is private, so its figure is charged like a score: "
              + (score.get() instanceof ScoreRule.PublicValidation
                  ? "score on: private with an epsilon, or let it be public"
                  : "give search.score an epsilon"),
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
      draft.brokenSearch(
          oracle ? "strategy" : "budget",
          "spends the whole budget in every run, so data.private must be declared: public or"
              + " declared: simulated, and no other part be private",
          oracle ? "oracle" : "whole");
    }
  }

  /** Runs at equal points would be paid for and tell nothing. */
  static void refuseEqualSteps(Draft draft) {
    if (draft.strategy().orElse(null) instanceof BestOf best
        && best.points() instanceof BestOf.Lattice lattice
        && lattice.differentSteps() < lattice.steps()) {
      draft.brokenSearch(
          "points",
          "must have fewer steps: by logarithm only %d of them differ"
              .formatted(lattice.differentSteps()),
          lattice.steps());
    }
  }

  /** A proposal's part of no ε would be charged the least μ that δ allows, which is more. */
  static void refusePartsOfNothing(Draft draft) {
    Stream<Epsilon> trials =
        draft.strategy().orElse(null) instanceof TrialsThenFinal search
            ? search.rounds().stream().map(SweepRound::epsilon)
            : Stream.of();
    Stream<Epsilon> scores =
        draft.score().orElse(null) instanceof ScoreRule.NoisyCount count
            ? Stream.of(count.epsilon())
            : Stream.of();
    if (Stream.concat(trials, scores).anyMatch(epsilon -> epsilon.value() == 0)) {
      draft
          .search()
          .orElseThrow()
          .broken(
              "sweeps",
              "must be given, with a score, or points be fewer: what the plan proposes at this budget"
                  + " leaves a trial or a score no epsilon");
    }
  }

  private static void refuse(Draft draft, String what) {
    String strategy = draft.strategy().orElseThrow().name();
    draft.brokenSearch("strategy", "must not be with " + what, strategy);
  }
}
