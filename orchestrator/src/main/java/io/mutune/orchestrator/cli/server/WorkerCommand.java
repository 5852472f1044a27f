package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.WorkingEngine;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.schedule.Worker;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.StudyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune worker}. */
@Command(
    name = "worker",
    description =
        "Run the studies that are submitted to a store, until Ctrl-C or SIGTERM. Any number of"
            + " workers share a PostgreSQL store; a file has one.")
final class WorkerCommand extends CliCommand {
  private static final long MILLIS_BETWEEN_LOOKS = 200;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "trials at once (default: 1, which uses all cores)",
      defaultValue = "1")
  private int threads = 1;

  @Option(names = "--until-idle", description = "end when no study waits or runs any more")
  private boolean untilIdle;

  @Mixin private StudyFinder finder = new StudyFinder();

  @Override
  public Integer call() {
    int trials = Threads.checked(threads, 1);
    Interruption interruption = interruption();
    StoreLocation store = finder.location();
    try (StudyStore studies = finder.openOrCreate()) {
      requireAll(studies);
      interruption.heed();
      try (Worker worker = Worker.open(studies, store, WorkingEngine.here(), trials, this::say)) {
        say("working for " + store + "; end it with Ctrl-C or SIGTERM");
        interruption.await(MILLIS_BETWEEN_LOOKS, () -> untilIdle && isIdle(studies, worker));
        say(
            interruption.requested()
                ? "ending the steps that run here"
                : "no study waits or runs any more");
      }
      if (interruption.requested()) {
        say(
            "ended; what is not finished goes on at other workers, or with: mutune worker --store "
                + word(store.toString()));
      }
    }
    return ExitCode.DONE;
  }

  /** A store that is behind its witness has lost what is to be done, or that it was charged. */
  private static void requireAll(StudyStore studies) {
    studies
        .setBack()
        .ifPresent(
            problem -> {
              throw StoreException.damaged(problem + " (docs/operations.md, Backup and restore)");
            });
  }

  /** One that cannot be asked is not known to be. */
  private static boolean isIdle(StudyStore studies, Worker worker) {
    try {
      requireAll(studies);
      return worker.isIdle();
    } catch (StoreException e) {
      if (e.isDamage()) {
        throw e;
      }
      return false;
    }
  }
}
