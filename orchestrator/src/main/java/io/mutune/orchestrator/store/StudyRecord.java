package io.mutune.orchestrator.store;

import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A study as the store has it.
 *
 * @param definition the sweep as submitted
 * @param output the folder of the study's results
 * @param seconds spent running so far
 * @param noise of its plan, if the plan fixes noise multipliers
 * @param testAccuracy once it was released; noisy if the test rows are private
 * @param reason for the state, if there is more to say
 * @param queued whether it was submitted, to be run by a worker of the store
 */
public record StudyRecord(
    String id,
    String name,
    StudyState state,
    Instant created,
    String definition,
    SweepContext context,
    Path output,
    Optional<NoiseLevels> noise,
    double seconds,
    OptionalDouble testAccuracy,
    Optional<String> reason,
    boolean queued) {
  /** Returns the same study in the queue, to be run by a worker of the store. */
  public StudyRecord inQueue() {
    return standing(state, reason, true);
  }

  /** Returns the same study in another state. */
  public StudyRecord with(StudyState newState, String newReason) {
    return standing(newState, Optional.of(newReason).filter(text -> !text.isEmpty()), queued);
  }

  private StudyRecord standing(StudyState at, Optional<String> why, boolean inQueue) {
    return new StudyRecord(
        id,
        name,
        at,
        created,
        definition,
        context,
        output,
        noise,
        seconds,
        testAccuracy,
        why,
        inQueue);
  }
}
