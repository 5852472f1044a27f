package io.mutune.orchestrator.store;

import io.mutune.trainer.method.Iterate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A run as the store has it.
 *
 * @param number of the trial; 0 for the final run
 * @param starts how often training was started or resumed
 * @param stepsBegun steps that may have read private rows, or are being taken now
 * @param stepsLost those of them that a crash ended before a checkpoint; they stay charged and are
 *     never asked again
 * @param checkpoint the released iterate, of as many steps as it was of when it was kept: a method
 *     that goes on from it accounts for those that were lost since
 */
public record RunRecord(
    int number,
    RunState state,
    int starts,
    int stepsBegun,
    int stepsLost,
    Optional<Iterate> checkpoint,
    OptionalDouble score) {
  public static final int FINAL = 0;

  /** The same with a checkpoint of so many steps. */
  RunRecord withStepsKept(int steps) {
    return new RunRecord(
        number,
        state,
        starts,
        stepsBegun,
        stepsLost,
        checkpoint.map(of -> new Iterate(steps, of.weights(), of.memory())),
        score);
  }
}
