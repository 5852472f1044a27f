package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StudyRecord;
import java.io.IOException;

/**
 * Takes sweeps, and requests to pause, resume or cancel their studies. Every method returns when
 * the request is stored, and none waits for a trial. Any number of threads may call it.
 *
 * <p>Each throws {@link io.mutune.orchestrator.store.StoreException} if the store fails; nothing is
 * changed then.
 */
public interface StudyQueue extends AutoCloseable {
  /**
   * Plans a sweep; nothing is stored and no data file is opened.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it
   */
  StudyPlan plan(Submission submission);

  /**
   * Makes a study of a sweep, to be run later by a worker of the store.
   *
   * @return the study, planned or refused with the reason
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it; nothing
   *     is kept
   * @throws IOException if a data file is missing or may not be read; nothing is kept
   */
  StudyRecord submit(Submission submission) throws IOException;

  /**
   * Pauses a study until {@link #resume}: steps that run end with a checkpoint, and none begin. A
   * study that is paused already stays so.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended, was not submitted, or cannot be stopped without
   *     losing what it has done
   */
  StudyRecord pause(String id);

  /**
   * Resumes a paused or failed study. One that is planned or running stays so.
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
   * Closes the queue: no more sweeps are taken, what runs in this process ends with a checkpoint,
   * and then this returns. Unfinished studies go on when a queue or a worker opens the store again.
   */
  @Override
  void close();
}
