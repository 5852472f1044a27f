package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.CardText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Takes sweeps, and requests to pause, resume or cancel their studies, and writes them to the
 * store, where its workers read them; one in the same process is woken after every change. Every
 * method returns when the request is stored, and none waits for a trial. Any number of threads may
 * call it.
 *
 * <p>Each throws {@link io.mutune.orchestrator.store.StoreException} if the store fails; nothing is
 * changed then.
 */
public final class StudyQueue implements AutoCloseable {
  private final StudyStore store;
  private final Path folder;
  private final Optional<Worker> worker;

  /**
   * @param store stays open when the queue closes
   * @param folder of the studies
   * @param worker of this process, for the same store; closed with the queue
   */
  public StudyQueue(StudyStore store, Path folder, Optional<Worker> worker) {
    this.store = store;
    this.folder = folder;
    this.worker = worker;
  }

  /** Without a worker in this process. */
  public StudyQueue(StudyStore store, Path folder) {
    this(store, folder, Optional.empty());
  }

  /**
   * Plans a sweep; nothing is stored and no data file is opened.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it
   */
  public StudyPlan plan(Submission submission) {
    return StudyPlan.of(submission.with(store).sweep());
  }

  /**
   * Makes a study of a sweep, to be run later by a worker of the store.
   *
   * @return the study, planned or refused with the reason
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if there are mistakes in it; nothing
   *     is kept
   * @throws IOException if a data file is missing or may not be read; nothing is kept
   */
  public StudyRecord submit(Submission submission) throws IOException {
    Submission whole = submission.with(store);
    StudyPlan plan = StudyPlan.of(whole.sweep());
    try {
      StudyDataFiles.checkNew(plan.sweep());
    } catch (IOException e) {
      // Where the files are is their owner's business.
      throw new IOException(
          "a file of the data set '%s' cannot be read; its owner sees which with mutune data check"
              .formatted(plan.sweep().card().map(CardText::name).orElse("")),
          e);
    }
    Study made = Study.create(plan, whole.text(), whole.context(), folder);
    StudyRecord record = Admission.of(store, new Study(made.record().inQueue(), plan));
    worker.ifPresent(Worker::wake);
    return record;
  }

  /**
   * Pauses a study until {@link #resume}: steps that run end with a checkpoint, and none begin. A
   * study that is paused already stays so.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended, was not submitted, or cannot be stopped without
   *     losing what it has done
   */
  public StudyRecord pause(String id) {
    StudyRecord record = find(id);
    if (record.state() == StudyState.PAUSED) {
      return record;
    }
    refuseOthers(record);
    if (record.state() == StudyState.RUNNING && Study.sweepOf(record).search().isSecret()) {
      throw new StudyStateException(
          "study "
              + id
              + " keeps what it does in memory alone until its end, so it cannot be paused, only"
              + " cancelled");
    }
    return moved(record, StudyState.PAUSED, "");
  }

  /**
   * Resumes a paused or failed study. One that is planned or running stays so.
   *
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended otherwise, or was not submitted
   */
  public StudyRecord resume(String id) {
    StudyRecord record = find(id);
    refuseOthers(record);
    if (record.state() == StudyState.PLANNED || record.state() == StudyState.RUNNING) {
      return record;
    }
    return moved(record, StudyState.RUNNING, "");
  }

  /**
   * Ends a study for good. What was charged stays charged. Of a finished one the study that would
   * follow by its schedule is cancelled, and with it the schedule.
   *
   * @param reason public; one line
   * @return the study that is cancelled; refused, if the one that would follow could not be kept
   * @throws UnknownStudyException if there is none of this id
   * @throws StudyStateException if it has ended otherwise, and no study would follow; one that is
   *     cancelled already stays so
   */
  public StudyRecord cancel(String id, String reason) {
    String line = reason.replaceAll("\\s+", " ").strip();
    StudyRecord record = find(id);
    if (record.state() == StudyState.FINISHED) {
      return endSchedule(record, line.isEmpty() ? "the schedule of " + id + " was ended" : line);
    }
    return record.state() == StudyState.CANCELLED
        ? record
        : moved(record, StudyState.CANCELLED, line);
  }

  private static boolean endsSchedule(StudyRecord last) {
    return last.state() == StudyState.CANCELLED || last.state() == StudyState.REFUSED;
  }

  /** When sweeps run again by their schedules, by the last study of each, which has finished. */
  public static Map<String, Instant> scheduled(StudyStore store) {
    return new Recurrence(store, said -> {}).times();
  }

  private StudyRecord endSchedule(StudyRecord finished, String reason) {
    Optional<StudyRecord> next = new Recurrence(store, said -> {}).pausedAfter(finished.id());
    Optional<StudyRecord> follower = next.or(() -> store.study(Study.idAfter(finished.id())));
    if (follower.filter(StudyQueue::endsSchedule).isPresent()) {
      return follower.get();
    }
    if (next.isEmpty() && follower.isPresent()) {
      throw new StudyStateException(
          "study %s is finished, and %s follows it by its schedule: cancel that one"
              .formatted(finished.id(), follower.get().id()));
    }
    return moved(next.orElse(finished), StudyState.CANCELLED, reason);
  }

  /** Refuses a study that was never submitted, since no worker would act on the request. */
  private void refuseOthers(StudyRecord record) {
    if (!record.queued() && !record.state().isFinal()) {
      String id = record.id();
      throw new StudyStateException(
          store.isHeld(id)
              ? "study %s is run by 'mutune run' and not by a worker: Ctrl-C or SIGTERM there stops it, and 'mutune resume' goes on with it"
                  .formatted(id)
              : "study %s does not run, and was not submitted to a worker: 'mutune resume %s' goes on with it, and 'mutune cancel %s' ends it"
                  .formatted(id, id, id));
    }
  }

  private StudyRecord find(String id) {
    return store.study(id).orElseThrow(() -> new UnknownStudyException(id));
  }

  private StudyRecord moved(StudyRecord record, StudyState to, String reason) {
    try {
      store.move(record.id(), to, reason);
    } catch (IllegalStateException e) {
      String state = find(record.id()).state().key();
      throw new StudyStateException(
          "study %s is %s and cannot be %s"
              .formatted(
                  record.id(),
                  state,
                  to.isOpen() && to != StudyState.PAUSED ? "resumed" : to.key()));
    }
    worker.ifPresent(Worker::wake);
    return find(record.id());
  }

  /**
   * Closes the queue: no more sweeps are taken, what runs in this process ends with a checkpoint,
   * and then this returns. Unfinished studies go on when a queue or a worker opens the store again.
   */
  @Override
  public void close() {
    worker.ifPresent(Worker::close);
  }
}
