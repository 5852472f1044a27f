package io.mutune.orchestrator.schedule;

import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** Quartz's form of one piece of work; its data are two strings. */
final class PieceJob implements Job {
  private final Bench bench;

  PieceJob(Bench bench) {
    this.bench = bench;
  }

  @Override
  public void execute(JobExecutionContext context) {
    JobDataMap data = context.getJobDetail().getJobDataMap();
    bench.run(data.getString(JobBoard.STUDY), data.getString(JobBoard.PIECE));
  }
}
