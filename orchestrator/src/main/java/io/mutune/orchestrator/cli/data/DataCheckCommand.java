package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code mutune data check}: reads the files of a data set, or of a sweep that names files, in full
 * and tells their owner what is in them. Not charged, and so for nobody else: it prints, and stores
 * nothing.
 */
@Command(
    name = "check",
    description =
        "Read the files of a data set, or of a sweep, and say whether they suit it. The output is"
            + " private: it is not charged, and is for the data's owner alone.")
final class DataCheckCommand extends CliCommand {
  /** Of a sweep this key stands below data. */
  private static final Pattern CARD = Pattern.compile("(?m)^private\\s*:");

  @Parameters(paramLabel = "NAME|SWEEP", description = "a registered data set, or a sweep's file")
  private Path named = Path.of("");

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    if (Files.isRegularFile(named)
        && CARD.matcher(new String(Files.readAllBytes(named), StandardCharsets.UTF_8)).find()) {
      throw new UsageException(
          named + ": is a card, which 'mutune data add' checks as it registers it");
    }
    if (Files.exists(named) && !Files.isDirectory(named)) {
      return tell(DataInspection.of(SweepFile.of(named).read(finder.lookUp()).definition().data()));
    }
    try (StudyStore store = finder.open(Optional.empty())) {
      DataSetRecord set = DataSetCommand.find(store, named.toString());
      SweepData data =
          DataCardReader.read(set.name(), set.card().text(), set.card().context()).data();
      DataInspection found = DataInspection.of(data);
      return tell(
          found.with(set.card().version(), CardFile.changed(data, set.seals(), DataKeys.here())));
    }
  }

  private int tell(DataInspection found) {
    out().print(format.json() ? Json.write(found.json()) : found.text());
    return found.sound() ? ExitCode.DONE : ExitCode.INVALID;
  }
}
