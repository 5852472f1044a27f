package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.quartz.QuartzTables;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.GroupMatcher;

/**
 * Schedules jobs by Quartz: which worker runs which job, and which takes over those of a dead
 * worker. A job only names a piece of work; the store decides whether the piece is still to be run,
 * so a job that is lost or runs twice costs only time.
 *
 * <p>Its misfire policy: a job starts as soon as a thread is free, however late that is, and in the
 * order in which studies were submitted.
 */
final class JobScheduler implements AutoCloseable {
  static final String STUDY = "study";
  static final String PIECE = "piece";

  /** Clocks that differ by less than this delay no job. */
  private static final Duration BEFORE = Duration.ofDays(1);

  /** How long the end waits for a database that does not answer. */
  private static final Duration TELLING = Duration.ofSeconds(5);

  private static final String SCHEDULER = "org.quartz.scheduler.";

  /** The time until a job that another process adds is seen. */
  private static final String IDLE_MILLIS = "1000";

  private static final String SHARED = "mutune";

  private final Scheduler scheduler;

  private JobScheduler(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Returns a scheduler for this process only. */
  static JobScheduler inMemory(int threads, PieceRunner runner) {
    Properties settings = new Properties();
    settings.setProperty(SCHEDULER + "instanceName", "mutune-" + UUID.randomUUID());
    settings.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
    return of(settings, threads, runner);
  }

  /** Returns a scheduler that all workers of a database share. */
  static JobScheduler shared(StoreLocation.Postgres server, int threads, PieceRunner runner) {
    QuartzTables.prepare(server);
    Properties settings = QuartzTables.settings(server, threads + 3);
    settings.setProperty(SCHEDULER + "instanceName", SHARED);
    // Quartz's own choice would be the same for two that start within a millisecond.
    settings.setProperty(SCHEDULER + "instanceId", UUID.randomUUID().toString());
    return of(settings, threads, runner);
  }

  private static JobScheduler of(Properties settings, int threads, PieceRunner runner) {
    settings.setProperty(SCHEDULER + "idleWaitTime", IDLE_MILLIS);
    settings.setProperty("org.quartz.threadPool.threadCount", Integer.toString(threads));
    try {
      Scheduler scheduler = new StdSchedulerFactory(settings).getScheduler();
      // Quartz would return this scheduler to any later caller that uses its name.
      SchedulerRepository.getInstance().remove(scheduler.getSchedulerName());
      scheduler.setJobFactory((bundle, ignored) -> new PieceJob(runner));
      return new JobScheduler(scheduler);
    } catch (SchedulerException e) {
      throw failed(e);
    }
  }

  void start() {
    try {
      scheduler.start();
    } catch (SchedulerException e) {
      throw failed(e);
    }
  }

  /** Returns the jobs of a study that wait or run, at any worker. */
  Set<String> jobs(String study) {
    try {
      return scheduler.getJobKeys(GroupMatcher.jobGroupEquals(study)).stream()
          .map(JobKey::getName)
          .collect(Collectors.toSet());
    } catch (SchedulerException e) {
      throw failed(e);
    }
  }

  /**
   * Adds a job, unless it exists. It is due at once, also where the clock was ahead when the study
   * was made.
   *
   * @param place in the order of the study's jobs
   */
  void put(StudyRecord study, String piece, int place) {
    Instant now = Instant.now();
    Instant made = study.created().isBefore(now) ? study.created() : now;
    put(study, piece, made.minus(BEFORE).plusMillis(place));
  }

  /** Adds a job for some moment, unless it exists. */
  void put(StudyRecord study, String piece, Instant moment) {
    try {
      scheduler.scheduleJob(
          JobBuilder.newJob(PieceJob.class)
              .withIdentity(piece, study.id())
              .usingJobData(STUDY, study.id())
              .usingJobData(PIECE, piece)
              .requestRecovery()
              .build(),
          TriggerBuilder.newTrigger()
              .withIdentity(piece, study.id())
              .startAt(Date.from(moment))
              .withSchedule(
                  SimpleScheduleBuilder.simpleSchedule()
                      .withMisfireHandlingInstructionIgnoreMisfires())
              .build());
    } catch (ObjectAlreadyExistsException e) {
      // Another worker was faster.
    } catch (SchedulerException e) {
      throw failed(e);
    }
  }

  private static StoreException failed(SchedulerException e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new StoreException("the schedule cannot be used: " + first, e);
  }

  /** Whether a failure is the schedule's, and so no one study's. */
  static boolean isOfSchedule(StoreException e) {
    return e.getCause() instanceof SchedulerException;
  }

  /**
   * Starts no more jobs, and waits a while until those that ended here are told to the other
   * workers. Where the database is away they find it out by themselves.
   */
  @Override
  public void close() {
    Thread end = new Thread(this::shutDown, "end of the schedule");
    end.setDaemon(true);
    end.start();
    try {
      end.join(TELLING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void shutDown() {
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      // It is not used again.
    }
  }
}
