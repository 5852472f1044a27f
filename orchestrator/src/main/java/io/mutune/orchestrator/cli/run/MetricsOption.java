package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.metrics.MeasuredStore;
import io.mutune.orchestrator.metrics.MutuneMetrics;
import io.mutune.orchestrator.metrics.StoreState;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.function.IOSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Leaves metrics of one run where a textfile collector finds them. */
final class MetricsOption {
  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "leave metrics there at the end, in the text form of Prometheus")
  private @Nullable Path file;

  @Option(
      names = "--step-times",
      description =
          "among the metrics, the time of a training step, which grows with the private number of"
              + " rows")
  private boolean stepTimes;

  private final MutuneMetrics metrics = new MutuneMetrics();

  /** The store to work with from here on. */
  StudyStore around(StudyStore store) {
    return file == null ? store : MeasuredStore.of(store, metrics, stepTimes);
  }

  /**
   * Refuses, before a study is entered and once its store is there, a file that cannot be left, is
   * that store, or is read.
   *
   * @param sweepFile the sweep's own, if it is in one
   */
  void check(SweepDefinition sweep, Optional<Path> sweepFile) throws IOException {
    if (file != null) {
      OutputFile.requirePlace("--metrics", file);
      List<Path> read = new ArrayList<>(sweep.filesRead());
      sweepFile.ifPresent(read::add);
      OutputFile.requireOther("--metrics", file, read);
    }
  }

  /**
   * Starts a study and leaves its metrics, however that ends; what ended it is what is reported.
   */
  int left(StudyStore store, Study study, CliCommand command, IOSupplier<Integer> start)
      throws IOException {
    try {
      return start.get();
    } finally {
      write(store, study, command);
    }
  }

  private void write(StudyStore store, Study study, CliCommand command) {
    if (file == null) {
      return;
    }
    try {
      Study now = new Study(store.study(study.id()).orElse(study.record()), study.plan());
      metrics.show(StoreState.ofOne(store, StatusDocument.of(store, now)));
      metrics.write(file);
    } catch (IOException | StoreException e) {
      command.say(file + ": the metrics cannot be written: " + e.getMessage());
    }
  }
}
