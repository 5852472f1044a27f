package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.sweep.StudyPlan;
import java.io.IOException;

/** An office with a workshop in the same process, which is told of everything at once. */
public final class EmbeddedOffice implements StudyOffice {
  private final StudyOffice office;
  private final Workshop workshop;

  /**
   * @param workshop for the same store; closed with the office
   */
  public EmbeddedOffice(StudyOffice office, Workshop workshop) {
    this.office = office;
    this.workshop = workshop;
  }

  @Override
  public StudyPlan plan(Submission submission) {
    return office.plan(submission);
  }

  @Override
  public StudyRecord submit(Submission submission) throws IOException {
    return rung(office.submit(submission));
  }

  @Override
  public StudyRecord pause(String id) {
    return rung(office.pause(id));
  }

  @Override
  public StudyRecord resume(String id) {
    return rung(office.resume(id));
  }

  @Override
  public StudyRecord cancel(String id, String reason) {
    return rung(office.cancel(id, reason));
  }

  private StudyRecord rung(StudyRecord record) {
    workshop.ring();
    return record;
  }

  @Override
  public void close() {
    workshop.close();
    office.close();
  }
}
