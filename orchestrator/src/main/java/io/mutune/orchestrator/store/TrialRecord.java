package io.mutune.orchestrator.store;

import io.mutune.trainer.method.Iterate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the store knows of one run.
 *
 * @param number of the trial; 0 for the final run
 * @param starts how often training was started or gone on with
 * @param stepsBegun steps that may have read private rows, or are being taken now
 * @param stepsLost of those, the ones that a crash took before their result was kept; they stay
 *     charged and are never asked again
 * @param checkpoint the released iterate
 */
public record TrialRecord(
    int number,
    TrialState state,
    int starts,
    int stepsBegun,
    int stepsLost,
    Optional<Iterate> checkpoint,
    OptionalDouble score) {
  public static final int FINAL = 0;
}
