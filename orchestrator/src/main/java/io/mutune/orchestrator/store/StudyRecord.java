package io.mutune.orchestrator.store;

import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the store knows of a study.
 *
 * @param definition the sweep as submitted
 * @param output the folder that the study leaves its results in, beside the store
 * @param seconds spent running so far
 * @param noise of its plan, where that is fixed to the last digit
 * @param testAccuracy once it was taken; noisy if the test rows are private
 * @param reason why it stands where it stands, where there is more to say
 * @param queued whether it was submitted, and is run by whoever works for the store
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
  /** A study that the process which made it runs. */
  public StudyRecord(
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
      Optional<String> reason) {
    this(
        id,
        name,
        state,
        created,
        definition,
        context,
        output,
        noise,
        seconds,
        testAccuracy,
        reason,
        false);
  }

  /** The same study, to be run by whoever works for the store. */
  public StudyRecord inQueue() {
    return standing(state, reason, true);
  }

  /** The same study where it stands otherwise. */
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
