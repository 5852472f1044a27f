package io.mutune.orchestrator.schedule;

import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** The Quartz job of one piece of work; its data are two strings. */
record PieceJob(PieceRunner runner) implements Job {
  @Override
  public void execute(JobExecutionContext context) {
    JobDataMap data = context.getJobDetail().getJobDataMap();
    runner.run(data.getString(JobScheduler.STUDY), data.getString(JobScheduler.PIECE));
  }
}
