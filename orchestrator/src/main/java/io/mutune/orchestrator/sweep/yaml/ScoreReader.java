package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.ScoreRule.TestCount;
import io.mutune.trainer.setting.NumberRule;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code search.score}: how trials are compared, and what asking costs. */
final class ScoreReader {
  private static final String FIXED = "fixed";

  private ScoreReader() {}

  /**
   * Reads it, or proposes it where the plan proposes the trials.
   *
   * @param name of the strategy
   * @param strategy as far as it was read
   */
  static Optional<ScoreRule> read(
      YamlSection search,
      String name,
      Optional<SearchStrategy> strategy,
      Optional<ProposedSplits> splits,
      DataReader data) {
    boolean proposed = strategy.flatMap(SearchStrategy::why).isPresent();
    if (proposed && !search.has("score")) {
      return splits.map(s -> proposal(s.of(strategy.get()), data));
    }
    // A proposal of no trials leaves a score that the sweep gives without use, and no mistake.
    if (!proposed && !strategy.map(SearchStrategy::scores).orElse(!name.equals(FIXED))) {
      if (search.hasRefused("score")) {
        search.broken(
            "score",
            name.equals(FIXED)
                ? "is for strategies with trials; fixed has none"
                : "is for several trials; one has nothing to be compared with",
            "given");
      }
      return Optional.of(new ScoreRule.None());
    }
    if (!search.has("score")) {
      if (strategy.isEmpty() && !name.equals("linear-scaling")) {
        // Whether there has to be one depends on what is wrong already.
        return Optional.empty();
      }
      search.missing(
          "score", "write {on: validation} for public rows or {on: private, epsilon: 0.02}");
      return Optional.empty();
    }
    Optional<ScoreRule> rule = search.section("score").flatMap(section -> scoreRule(section, data));
    return strategy.filter(s -> !s.scores()).isPresent()
        ? rule.map(unused -> new ScoreRule.None())
        : rule;
  }

  private static ScoreRule proposal(SplitProposal split, DataReader data) {
    if (split.rounds().isEmpty()) {
      return new ScoreRule.None();
    }
    return data.isPrivate("validation").filter(isPrivate -> !isPrivate).isPresent()
        ? new ScoreRule.PublicValidation()
        : new ScoreRule.NoisyCount(split.score(), true);
  }

  private static Optional<ScoreRule> scoreRule(YamlSection score, DataReader data) {
    score.require("on", "validation or private");
    Optional<String> on = score.word("on", List.of("validation", "private"));
    Optional<Double> epsilon = score.number("epsilon", NumberRule.EPSILON);
    boolean uncharged = score.flag("uncharged").orElse(false);
    Optional<Set<TestCount>> test = TestCountsReader.read(score, data);
    score.finish();
    if (on.isEmpty()) {
      return Optional.empty();
    }
    boolean onTraining = on.get().equals("private");
    if (uncharged) {
      return unchargedScore(score, onTraining, epsilon, data);
    }
    Optional<Boolean> privateValidation = data.isPrivate("validation");
    if (!onTraining && privateValidation.isEmpty()) {
      score.broken("on", "needs data.validation", "validation");
      return Optional.empty();
    }
    boolean charged = onTraining || privateValidation.orElseThrow();
    if (!charged) {
      if (epsilon.isPresent()) {
        score.broken("epsilon", "is for private rows; public validation rows are free", "given");
      }
      return Optional.of(new ScoreRule.PublicValidation());
    }
    score.require("epsilon", "a score of private rows is charged: say how much it may cost");
    return epsilon.map(
        e ->
            new ScoreRule.NoisyCount(
                Epsilon.of(e), onTraining, test.orElse(EnumSet.of(TestCount.ACCURACY))));
  }

  /** A paper's uncharged choice, on rows that the sweep itself says need no protection. */
  private static Optional<ScoreRule> unchargedScore(
      YamlSection score, boolean onTraining, Optional<Double> epsilon, DataReader data) {
    if (!onTraining) {
      score.broken("uncharged", "is for on: private; public validation rows are free anyway");
    } else if (epsilon.isPresent()) {
      score.broken("epsilon", "is what a charged score costs, and uncharged is given", "given");
    } else if (!data.declared().isOpen()) {
      score.broken(
          "uncharged",
          "reads the rows without a charge, so data.private must be declared public or simulated",
          "declared " + data.declared().key());
    } else {
      return Optional.of(new ScoreRule.Uncharged());
    }
    return Optional.empty();
  }
}
