package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.Guesses;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.attack.CanaryKind;
import java.util.List;

/**
 * What canaries showed of one study.
 *
 * @param result of the study that they were in
 * @param epsilonAtLeast the study is not (ε, δ)-DP for any ε below this, at the confidence
 * @param confidence in (0, 1)
 * @param used what the scores were made of, in words
 * @param seed of canaries and coins
 * @param seconds of the study and the attack together
 */
public record CanaryReport(
    StudyResult result,
    CanaryKind kind,
    Guesses guesses,
    double epsilonAtLeast,
    double confidence,
    RocCurve curve,
    List<String> used,
    List<String> problems,
    long seed,
    double seconds) {
  /** Whether the bound passes what the statement says: then a promise is broken. */
  public boolean refutes() {
    return epsilonAtLeast > result.statement().epsilon().value() || !problems.isEmpty();
  }
}
