package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepHeading;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** The sweep file that a command is given. */
final class SweepFile {
  @Parameters(paramLabel = "SWEEP", description = "the sweep's YAML file")
  private Path file = Path.of("");

  /** A sweep that was read and checked. */
  record Sweep(String text, SweepContext context, SweepDefinition definition) {
    StudyPlan plan() {
      return StudyPlan.of(definition);
    }
  }

  /** One whose path is given otherwise. */
  static SweepFile of(Path path) {
    SweepFile sweep = new SweepFile();
    sweep.file = path;
    return sweep;
  }

  /** Finds the card of a data set that a sweep names. */
  @FunctionalInterface
  interface Cards {
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
  Sweep read(Cards cards) throws IOException {
    return read(cards, SweepReader::read);
  }

  /** The same of a sweep for the queue, which names no path. */
  Sweep readSubmitted(Cards cards) throws IOException {
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
  static Sweep read(String name, String text, SweepContext here, Cards cards) {
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

  Path path() {
    return file;
  }
}
