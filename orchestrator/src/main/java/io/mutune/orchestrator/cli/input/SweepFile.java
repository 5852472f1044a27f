package io.mutune.orchestrator.cli.input;

import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepHeading;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** The sweep file that a command is given. */
public final class SweepFile {
  @Parameters(paramLabel = "SWEEP", description = "the sweep's YAML file")
  private Path file = Path.of("");

  /** A sweep that was read and checked. */
  public record Sweep(String text, SweepContext context, SweepDefinition definition) {
    /** Every charge that follows from it. */
    public StudyPlan plan() {
      return StudyPlan.of(definition);
    }
  }

  /** One whose path is given otherwise. */
  public static SweepFile of(Path path) {
    SweepFile sweep = new SweepFile();
    sweep.file = path;
    return sweep;
  }

  /** Finds the card of a data set that a sweep names. */
  @FunctionalInterface
  public interface Cards {
    /**
     * Looks into a store, if there is one.
     *
     * @param directory where the sweep's studies go
     */
    Optional<CardText> find(String name, Path directory);
  }

  /**
   * Reads it.
   *
   * @param cards for a sweep that names a registered data set
   */
  public Sweep read(Cards cards) throws IOException {
    return read(cards, SweepReader::read);
  }

  /**
   * Refuses to write over the sweep, a file that it reads or a document of a study.
   *
   * @param output a document, beside which its page and its figures are left
   */
  public void requireKept(Sweep sweep, Path output) throws IOException {
    List<Path> read = new ArrayList<>(sweep.definition().filesRead());
    read.add(file);
    for (Path left : OutputFile.withPage(output)) {
      OutputFile.requireOther(OutputFile.OPTION, left, read);
      OutputFile.requireNoDocument(left);
    }
  }

  /**
   * Refuses to write over a file that a study has read, by the store beside the studies' folders:
   * the text that is left in one does not say where its sweep was.
   *
   * @param model a study's folder, or a model in it
   */
  public static void requireNoData(Path output, Path model) throws IOException {
    Path study = OutputFile.study(model);
    if (study == null || !Files.exists(output)) {
      return;
    }
    OutputFile.requirePlace(OutputFile.OPTION, output); // a store is not opened to be refused
    Path store = Stores.beside(study).resolve(StoreOption.FILE);
    if (Files.isRegularFile(store) && OutputFile.isAmong(filesRead(store, study), output)) {
      throw new UsageException(
          OutputFile.OPTION
              + " "
              + output
              + ": is named by the study's sweep as a file that it reads; name another file");
    }
  }

  private static List<Path> filesRead(Path store, Path folder) {
    Path name = folder.toAbsolutePath().normalize().getFileName();
    try (StudyStore opened = Stores.openExisting(store)) {
      return opened.studies().stream()
          .filter(record -> record.output().endsWith(name))
          .flatMap(record -> Study.sweepOf(record).filesRead().stream())
          .toList();
    } catch (StoreException | InvalidSweepException e) {
      return List.of(); // which other commands tell
    }
  }

  /** The same of a sweep for the queue, which names no path. */
  public Sweep readSubmitted(Cards cards) throws IOException {
    return read(cards, SweepReader::readSubmitted);
  }

  /** How a text is read. */
  @FunctionalInterface
  private interface Reading {
    SweepDefinition of(String name, String text, SweepContext context);
  }

  private Sweep read(Cards cards, Reading reading) throws IOException {
    if (Files.isDirectory(file)) {
      throw new UsageException(file + ": is a folder, not a sweep file");
    }
    try {
      String text = Files.readString(file);
      return read(file.toString(), text, SweepContext.ofFile(file), cards, reading);
    } catch (MalformedInputException e) {
      throw new UsageException(file + ": is not UTF-8 text");
    }
  }

  /** Reads a text, which has a name in messages. */
  public static Sweep read(String name, String text, SweepContext here, Cards cards) {
    return read(name, text, here, cards, SweepReader::read);
  }

  private static Sweep read(
      String name, String text, SweepContext here, Cards cards, Reading reading) {
    SweepHeading heading = SweepHeading.read(text, here);
    SweepContext context =
        heading
            .dataSet()
            .flatMap(set -> cards.find(set, heading.directory()))
            .map(here::with)
            .orElse(here);
    return new Sweep(text, context, reading.of(name, text, context));
  }

  public Path path() {
    return file;
  }
}
