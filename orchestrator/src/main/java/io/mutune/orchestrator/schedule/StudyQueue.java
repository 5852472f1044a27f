package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StudyRecord;
import java.io.IOException;

/**
 * The front door: takes sweeps in, and what is wanted of the studies that they became. Every method
 * returns when the store has it, and none waits for a trial. Any number of threads may call it.
 *
 * <p>Each throws {@link io.mutune.orchestrator.store.StoreException} if the store fails; nothing is
 * then half done.
 */
public interface StudyQueue extends AutoCloseable {
  /**
   * What a sweep would do and cost; nothing is kept and no data file is opened.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it
   */
  StudyPlan plan(Submission submission);

  /**
   * Makes a study of a sweep and has it run, later, by whoever works for the store.
   *
   * @return as it stands now: planned, or refused with the reason, which is kept too
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it; nothing
   *     is kept
   * @throws IOException if a data file is missing or may not be read; nothing is kept
   */
  StudyRecord submit(Submission submission) throws IOException;

  /**
   * Lets no more steps begin until {@link #resume}; those that run end with a checkpoint. One that
   * is paused already stays so.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended, was not submitted, or cannot be stopped without
   *     losing what it has done
   */
  StudyRecord pause(String id);

  /**
   * Has a paused or failed study go on from where it stands; one that is planned or running does so
   * anyway.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended otherwise, or was not submitted
   */
  StudyRecord resume(String id);

  /**
   * Ends a study for good. What was charged stays charged.
   *
   * @param reason public; one line
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended otherwise; one that is cancelled already stays so
   */
  StudyRecord cancel(String id, String reason);

  /**
   * Takes nothing more in, lets what runs in this process end its steps and keep a checkpoint, and
   * returns when it has. Studies that are not finished go on when a queue or a worker opens the
   * store again.
   */
  @Override
  void close();
}
