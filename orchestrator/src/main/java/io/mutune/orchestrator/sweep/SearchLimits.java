package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a search cannot have beside it, whether a sweep file names it or a comparison puts it in
 * another's place. Random stopping is one charge of one kind of run, of which nothing but the best
 * is told; a method that charges nothing has no run to keep; what has no μ is planned to the last
 * digit; what has no radius is searched by its rate.
 *
 * @param budget as far as it is known
 * @param score likewise
 * @param hasMean whether a private mean is taken away
 * @param onGrid whether noise is rounded
 * @param hasRowCosts whether output.perInstance is given
 * @param ofUnits whether people are protected rather than rows
 */
public record SearchLimits(
    SearchStrategy strategy,
    TrainingMethod method,
    Optional<Budget> budget,
    Optional<ScoreRule> score,
    boolean hasMean,
    boolean onGrid,
    boolean hasRowCosts,
    boolean ofUnits) {
  private static final String FIXED = "fixed";

  /**
   * One thing that does not go together.
   *
   * @param key below {@code search} that breaks the rule
   * @param rule that begins with "must"
   * @param was what is there
   */
  public record Breach(String key, String rule, String was) {}

  /** Those of a whole sweep. */
  public static SearchLimits of(SweepDefinition sweep) {
    return new SearchLimits(
        sweep.search(),
        sweep.train().method(),
        Optional.of(sweep.budget()),
        Optional.of(sweep.score()),
        sweep.data().mean().isPresent(),
        sweep.run().noise().grid().isPresent(),
        sweep.output().perInstance().isPresent(),
        sweep.data().unit().isPresent());
  }

  /** Everything that does not go together. */
  public List<Breach> breaches() {
    List<Breach> breaches = new ArrayList<>();
    checkMethod(breaches);
    if (strategy.sampleRate() < 1) {
      checkSamples(breaches);
    }
    if (strategy.isSecret()) {
      checkSecret(breaches);
    }
    return breaches;
  }

  private void checkMethod(List<Breach> breaches) {
    if (method.needs(Need.FIXED_PLAN) && strategy.fixedSteps().isEmpty()) {
      breaches.add(
          new Breach(
              "space",
              "must have one number of steps with "
                  + method.name()
                  + ": its charges have no mu, so the whole plan is fixed before any data is read",
              "a range of steps"));
    }
    if (method.needs(Need.FIXED_PLAN) && strategy.isSecret()) {
      refuse(
          breaches,
          "be with "
              + method.name()
              + ": a run and its score are charged as one Gaussian mechanism");
    }
    if (!method.searched().hasRate() && !strategy.name().equals(FIXED)) {
      breaches.add(
          new Breach(
              "strategy",
              "must be fixed with " + method.name() + ", which has no learning rate to look for",
              strategy.name()));
    } else if (method.searched() == Searched.LEARNING_RATE && strategy.searchesLogitNoise()) {
      breaches.add(
          new Breach(
              "strategy",
              "must look for a learningRate or radius with "
                  + method.name()
                  + ", whose noise in a logit is not known beforehand",
              strategy.name() + " over logitNoise"));
    }
    if (!method.isCharged() && !(strategy instanceof TrialsThenFinal)) {
      refuse(breaches, "be with " + method.name() + ", which has no charged run");
    }
  }

  private void checkSecret(List<Breach> breaches) {
    Optional<Double> least = budget.map(b -> SecretTrials.leastDelta(b.epsilon().value()));
    if (least.filter(delta -> budget.get().delta().value() < delta).isPresent()) {
      refuse(
          breaches,
          "be with "
              + beyondLaw(least.get(), budget.get().delta().value())
              + ": the law of the number of runs is drawn to 32 digits");
    }
    if (hasMean) {
      refuse(breaches, "be with a private-mean, which is a charge of its own");
    }
    if (onGrid) {
      refuse(breaches, "be with noise on a grid, whose rounding its one charge does not name");
    }
    if (hasRowCosts) {
      refuse(breaches, "be with output.perInstance: its runs are secret");
    }
  }

  /** The limits that there are: no δ is 1, and a small one goes with no ε. */
  private static String beyondLaw(double leastDelta, double delta) {
    List<String> limits = new ArrayList<>();
    if (leastDelta < 1) {
      limits.add("a delta below " + PrintedNumber.up(leastDelta, 2) + " at this epsilon");
    }
    SecretTrials.greatestEpsilon(delta)
        .map(most -> "an epsilon above " + PrintedNumber.down(most, 4) + " at this delta")
        .ifPresent(limits::add);
    return limits.isEmpty()
        ? "so large an epsilon and so small a delta"
        : String.join(", or ", limits);
  }

  /**
   * A sample of rows is one mechanism under added or removed rows, and not of other data's. Only
   * the training rows are sampled: others would be asked in full by every run.
   */
  private void checkSamples(List<Breach> breaches) {
    if (ofUnits) {
      refuse(breaches, "sample rows where people would have to be sampled");
    }
    if (score
        .filter(rule -> rule instanceof ScoreRule.NoisyCount c && !c.onTraining())
        .isPresent()) {
      refuse(breaches, "be with a score on private validation rows, which no sample is taken of");
    }
    if (!method.trainsOnSamples()) {
      refuse(
          breaches, "be with " + method.name() + ", which does not train on samples of the rows");
    }
    if (budget.filter(b -> b.adjacency() != Adjacency.ADD_REMOVE).isPresent()) {
      refuse(
          breaches,
          "be with adjacency: replace-one: what a sample costs is proved for added or removed rows");
    }
  }

  private void refuse(List<Breach> breaches, String what) {
    breaches.add(new Breach("strategy", "must not " + what, strategy.name()));
  }
}
