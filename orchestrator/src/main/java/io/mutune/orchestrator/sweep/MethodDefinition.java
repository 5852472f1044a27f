package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.Setting;
import io.mutune.trainer.method.SumRounding;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A training method with its public settings, all but the point and the noise of a run: those come
 * from the search and from the plan. One record for each form of question that is asked of the
 * rows.
 */
public sealed interface MethodDefinition
    permits FullBatch, Sampled, AdaMixed, OpenTraining, Classic {
  /** The name in sweeps and results. */
  String name();

  /**
   * What a run asks of the private rows, known before one of them is read. The run's own method
   * must declare the same.
   *
   * @param sigma the noise's deviation over one row's greatest contribution, or what a {@link
   *     Classic} method takes in its place; a run costs less the larger it is
   */
  Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps);

  /** Whether training asks anything of rows that need protection; if not, it has no mechanism. */
  default boolean isCharged() {
    return true;
  }

  /** C where a step is in the gradient's own unit; 1 where the method divides by it. */
  double stepUnit();

  /** β by which a step goes on; 0 where the method has another notion of it. */
  double momentum();

  /** What a run leaves to be looked for. */
  Tuned tuned();

  /** By how much neighbours differ in one release, where σ is 1. */
  default double sensitivity(Adjacency adjacency) {
    return adjacency.sumSensitivity();
  }

  /** Whether the charge is one for all steps together, however many there are. */
  default boolean chargedAsOne() {
    return false;
  }

  /** What a run shows, in words. */
  default String released() {
    return "the final model, after every step";
  }

  /**
   * The same method with sums that are rounded to a grid, and charged so; empty where it has not
   * been worked out what that costs.
   */
  default Optional<MethodDefinition> rounded(SumRounding rounding) {
    return Optional.empty();
  }

  /** What a search may choose in place of the sweep. */
  default Set<Setting> settings() {
    return Set.of();
  }

  /**
   * The method of a run that has these settings.
   *
   * @param chosen among {@link #settings()}
   */
  default MethodDefinition with(Map<Setting, Double> chosen) {
    if (!chosen.isEmpty()) {
      throw new IllegalArgumentException(name() + " has no settings to choose: " + chosen);
    }
    return this;
  }

  StartRule start();

  /** Whether labelled public rows are part of training. */
  default boolean usesPublicRows() {
    return false;
  }

  /**
   * Whether every step sums clipped gradients of all rows, so that it can be said what each row has
   * cost.
   */
  default boolean hasRowCosts() {
    return false;
  }

  /** The share of rows that takes part in a step, on average. */
  default double samplingRate() {
    return 1;
  }

  /**
   * Whether every charge has to be fixed before the first: there is no μ to filter by otherwise.
   */
  default boolean needsFixedPlan() {
    return samplingRate() < 1;
  }
}
