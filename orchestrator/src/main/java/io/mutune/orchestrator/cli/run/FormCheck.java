package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.check.DataReport;
import io.mutune.trainer.data.RowListener;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.TrainingMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Looks at the form of a sweep's files for whoever starts the command, who holds them, before any
 * store hears of the study: what is wrong is said here, costs nothing and leaves no trace.
 */
public final class FormCheck {
  @Option(
      names = "--no-check",
      description =
          "do not read the files first; rows that do not fit count as none then, and 'run' says on"
              + " standard error alone how many")
  private boolean skipped;

  /**
   * The sweep as its study is to remember it.
   *
   * @param owners of files, from the store that the study goes to: asked before a file is read
   * @throws UsageException if a file does not have the form that the sweep says
   */
  public SweepFile.Sweep of(
      SweepFile.Sweep sweep, String name, Supplier<FileOwners> owners, CliCommand command)
      throws IOException {
    // Its owner had all files of a registered data set read when it was registered.
    if (skipped || sweep.definition().card().isPresent()) {
      StudyDataFiles.checkNew(sweep.definition());
      return sweep;
    }
    SweepDefinition definition = sweep.definition();
    StudyDataFiles.of(owners.get(), definition);
    List<String> problems = new ArrayList<>();
    Set<Integer> widths = new LinkedHashSet<>();
    for (DataSource source : read(definition)) {
      DataReport report = report(source, definition);
      problems.addAll(report.problems());
      DataCheck.otherEncoding(source.spec()).ifPresent(command::say);
      boolean rowByRow = definition.data().unit().isEmpty();
      if (ConsoleBar.isWanted() && rowByRow && report.problems().isEmpty()) {
        warnOfRows(source, report, command);
      }
      if (report.columns() > 0 && widths.add(report.columns()) && widths.size() > 1) {
        problems.add(
            "%s: has rows of %d columns, and data.private has %d"
                .formatted(source.spec().file(), report.columns(), widths.iterator().next()));
      }
    }
    if (problems.isEmpty()) {
      DataCheck.otherOrder(read(definition).stream().map(DataSource::spec).toList())
          .ifPresent(problems::add);
    }
    if (!problems.isEmpty()) {
      int last = Math.min(problems.size(), DataCheck.MAX_PROBLEMS) - 1;
      problems.subList(0, last).forEach(problem -> command.say(problem));
      throw new UsageException(problems.get(last));
    }
    SweepContext context = sweep.context().checked(widths.iterator().next());
    return new SweepFile.Sweep(
        sweep.text(), context, SweepReader.read(name, sweep.text(), context));
  }

  /** With a bar where somebody sits at a terminal, who holds the file. */
  private static DataReport report(DataSource source, SweepDefinition definition)
      throws IOException {
    if (!ConsoleBar.isWanted()) {
      return DataCheck.form(source.spec(), definition.data().features(), RowListener.SILENT);
    }
    String name =
        "checking " + ConsoleProgress.shortened(String.valueOf(source.spec().file().getFileName()));
    long rows = StudyDataFiles.stated(source).orElse(ConsoleBar.UNKNOWN);
    try (ConsoleBar bar = new ConsoleBar()) {
      ReadingBar reading = new ReadingBar(done -> bar.showRows(name, done, rows), System::nanoTime);
      return DataCheck.form(source.spec(), definition.data().features(), reading);
    }
  }

  /** At a terminal alone, where whoever holds the file sits: no other output tells of it. */
  private static void warnOfRows(DataSource source, DataReport report, CliCommand command) {
    if (source.isPrivate()
        && source.rows().isPresent()
        && report.isFarFrom(source.rows().getAsLong())) {
      command.say(
          ("rows says %d, and the file has %s: is that meant? Steps and noise are scaled by rows"
                  + " (private: for whoever holds the file)")
              .formatted(
                  source.rows().getAsLong(),
                  report.rows() > source.rows().getAsLong()
                      ? "ten times as many, or more"
                      : "a tenth of that, or less"));
    }
  }

  /** All but data.private where training takes public rows alone, and reads no byte of it. */
  private static List<DataSource> read(SweepDefinition sweep) {
    TrainingMethod method = sweep.train().method();
    boolean training = method.isCharged() || !method.needs(Need.PUBLIC_ROWS);
    return sweep.data().sources().stream()
        .filter(source -> training || !source.equals(sweep.data().training()))
        // The training rows' files have those that are held out.
        .filter(source -> source.side().isEmpty() || source.equals(sweep.data().training()))
        .toList();
  }
}
