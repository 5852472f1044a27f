package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.Guesses;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.attack.CanaryKind;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What canaries showed of one study.
 *
 * @param result of the study that they were in
 * @param rows of a canary, who is one person
 * @param epsilonAtLeast the study is not (ε, δ)-DP for any ε below this, at the confidence
 * @param byModels the same from nothing but what a trainer of somebody else's says of rows by its
 *     released models; empty for others
 * @param confidence of both bounds together, in (0, 1)
 * @param used what the scores were made of, in words
 * @param seed of canaries and coins
 * @param seconds of the study and the attack together
 */
public record CanaryReport(
    StudyResult result,
    CanaryKind kind,
    int rows,
    Guesses guesses,
    double epsilonAtLeast,
    OptionalDouble byModels,
    double confidence,
    RocCurve curve,
    List<String> used,
    List<String> problems,
    long seed,
    double seconds) {
  /** Whether the statement speaks of all rows of a canary. */
  public boolean covered() {
    return AttackedSweep.covers(result.study().sweep(), rows);
  }

  /** Whether a bound passes what the statement says of it: then a promise is broken. */
  public boolean refutes() {
    double shown = Math.max(epsilonAtLeast, byModels.orElse(0));
    boolean passes = shown > result.statement().epsilon().value();
    return (covered() && passes) || !problems.isEmpty();
  }
}
