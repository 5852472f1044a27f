package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StudyRecord;
import java.io.IOException;

/** A queue with a worker in the same process, which polls the store after every change. */
public final class LocalQueue implements StudyQueue {
  private final StudyQueue queue;
  private final Worker worker;

  /**
   * @param worker for the same store; closed with the queue
   */
  public LocalQueue(StudyQueue queue, Worker worker) {
    this.queue = queue;
    this.worker = worker;
  }

  @Override
  public StudyPlan plan(Submission submission) {
    return queue.plan(submission);
  }

  @Override
  public StudyRecord submit(Submission submission) throws IOException {
    return woken(queue.submit(submission));
  }

  @Override
  public StudyRecord pause(String id) {
    return woken(queue.pause(id));
  }

  @Override
  public StudyRecord resume(String id) {
    return woken(queue.resume(id));
  }

  @Override
  public StudyRecord cancel(String id, String reason) {
    return woken(queue.cancel(id, reason));
  }

  private StudyRecord woken(StudyRecord record) {
    worker.wake();
    return record;
  }

  @Override
  public void close() {
    worker.close();
    queue.close();
  }
}
