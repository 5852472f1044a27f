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
import java.util.Optional;

/**
 * A queue that writes requests to the store, where its workers read them. One in the same process
 * is woken after every change.
 */
public final class StoreQueue implements StudyQueue {
  private final StudyStore store;
  private final Path folder;
  private final Optional<Worker> worker;

  /**
   * @param store stays open when the queue closes
   * @param folder of the studies
   * @param worker of this process, for the same store; closed with the queue
   */
  public StoreQueue(StudyStore store, Path folder, Optional<Worker> worker) {
    this.store = store;
    this.folder = folder;
    this.worker = worker;
  }

  /** Without a worker in this process. */
  public StoreQueue(StudyStore store, Path folder) {
    this(store, folder, Optional.empty());
  }

  @Override
  public StudyPlan plan(Submission submission) {
    return StudyPlan.of(submission.with(store).sweep());
  }

  @Override
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

  @Override
  public StudyRecord pause(String id) {
    StudyRecord record = find(id);
    if (record.state() == StudyState.PAUSED) {
      return record;
    }
    refuseOthers(record);
    if (record.state() == StudyState.RUNNING && isSecret(record)) {
      throw new StudyStateException(
          "study "
              + id
              + " keeps what it does in memory alone until its end, so it cannot be paused, only"
              + " cancelled");
    }
    return moved(record, StudyState.PAUSED, "");
  }

  private static boolean isSecret(StudyRecord record) {
    return Study.sweepOf(record).search().isSecret();
  }

  @Override
  public StudyRecord resume(String id) {
    StudyRecord record = find(id);
    refuseOthers(record);
    if (record.state() == StudyState.PLANNED || record.state() == StudyState.RUNNING) {
      return record;
    }
    return moved(record, StudyState.RUNNING, "");
  }

  @Override
  public StudyRecord cancel(String id, String reason) {
    StudyRecord record = find(id);
    return record.state() == StudyState.CANCELLED
        ? record
        : moved(record, StudyState.CANCELLED, reason.replaceAll("\\s+", " ").strip());
  }

  /** Refuses a study that was never submitted, since no worker would act on the request. */
  private static void refuseOthers(StudyRecord record) {
    if (!record.queued() && !record.state().isFinal()) {
      throw new StudyStateException(
          "study "
              + record.id()
              + " is run by 'mutune run' and not by a worker: Ctrl-C or SIGTERM there stops it, and"
              + " 'mutune resume' goes on with it");
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
          "study %s is %s and cannot be %s".formatted(record.id(), state, to.key()));
    }
    worker.ifPresent(Worker::wake);
    return find(record.id());
  }

  @Override
  public void close() {
    worker.ifPresent(Worker::close);
  }
}
