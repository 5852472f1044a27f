package io.mutune.orchestrator.cli.input;

import io.mutune.accountant.PrintedNumber;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.DataCard;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import io.mutune.orchestrator.sweep.Problem;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The sweep that a command is given: a file, or in its place a data set, for which nobody has
 * written one. That one has the usual search, method and features; what runs is written to a file,
 * as the sweep that was run and as one to start from.
 */
public final class GivenSweep {
  @Parameters(paramLabel = "SWEEP", arity = "0..1", description = "the sweep's YAML file")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "NAME",
      description =
          "a registered data set, in place of a sweep file: its plain sweep, which 'mutune run' also"
              + " writes to NAME.yaml")
  private @Nullable String dataSet;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      description = "with --data: the budget of the whole study")
  private @Nullable Double epsilon;

  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "with --data and --epsilon (default: that of the data set's budget, else a tenth of"
              + " 1/rows)")
  private @Nullable Double delta;

  /** The file; empty where a data set is given. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** The name of the sweep in messages. */
  public String name() {
    return file().orElseGet(this::plainFile).toString();
  }

  private Path plainFile() {
    return Path.of(dataSet + ".yaml");
  }

  /**
   * Reads the sweep; that of a data set is written beside where the command runs.
   *
   * @throws UsageException if a file of its name has another text, but for the budget
   */
  public SweepFile.Sweep readOrWrite(SweepFile.Cards cards, CliCommand command) throws IOException {
    SweepFile.Sweep sweep = read(cards);
    if (file == null) {
      write(sweep.text(), command);
    }
    return sweep;
  }

  private void write(String text, CliCommand command) throws IOException {
    Path plain = plainFile();
    Optional<String> there =
        Files.exists(plain) ? Optional.of(Files.readString(plain)) : Optional.empty();
    if (there.filter(text::equals).isEmpty()) {
      if (there.isPresent() && !withoutBudget(there.get()).equals(withoutBudget(text))) {
        throw new UsageException(
            plain
                + ": has another text than the sweep that would be written there; run it if it is a"
                + " sweep, or move it away");
      }
      Files.writeString(plain, text);
      command.say("wrote " + plain + ", the sweep that runs");
    }
  }

  /** Reads the sweep, and writes nothing. */
  public SweepFile.Sweep read(SweepFile.Cards cards) throws IOException {
    if (file != null) {
      if (dataSet != null || epsilon != null || delta != null) {
        throw new UsageException("give a sweep file, or --data with --epsilon, and not both");
      }
      return SweepFile.of(file).read(cards);
    }
    if (dataSet == null) {
      throw new UsageException("name a sweep file, or a data set with --data and --epsilon");
    }
    if (epsilon == null) {
      throw new UsageException("--data needs --epsilon, the budget of the whole study");
    }
    if (!(epsilon > 0) || epsilon.isInfinite()) {
      throw new UsageException("--epsilon must be a number above 0; was " + epsilon);
    }
    if (delta != null && !(delta > 0 && delta < 1)) {
      throw new UsageException("--delta must be between 0 and 1; was " + delta);
    }
    SweepContext here = SweepContext.ofFile(plainFile());
    Optional<CardText> card = cards.find(dataSet, here.resolveOutput("runs"));
    if (card.isEmpty()) {
      throw new UsageException("there is no data set '" + dataSet + "'; see 'mutune data list'");
    }
    return read(text(card.get()), here, cards);
  }

  /** What is wrong is told without a file and its lines: there is none yet. */
  private SweepFile.Sweep read(String text, SweepContext here, SweepFile.Cards cards) {
    try {
      return SweepFile.read(name(), text, here, cards);
    } catch (InvalidSweepException e) {
      throw new UsageException(
          "the plain sweep of "
              + dataSet
              + ": "
              + e.problems().stream().map(GivenSweep::byOption).collect(Collectors.joining("; ")));
    }
  }

  /** What a number of the sweep's budget is that a command gives. */
  private static String byOption(Problem problem) {
    return problem.text().replaceFirst("^budget\\.(epsilon|delta) ", "--$1 ");
  }

  /** One that was written here for another budget is written anew; studies keep their own texts. */
  private static String withoutBudget(String text) {
    return text.replaceAll("(epsilon|delta): [^,{}]*", "$1");
  }

  private String text(CardText text) {
    DataCard card = DataCardReader.read(text.name(), text.text(), text.context());
    Optional<Double> ofBudget = card.budget().map(LifetimeBudget::delta);
    String usual =
        ofBudget.map(Object::toString).orElse(PrintedNumber.down(0.1 / card.data().rows(), 1));
    String shown = delta == null ? usual : delta.toString();
    return """
        version: 1
        name: %s
        data: %s
        budget: {epsilon: %s, delta: %s}
        search: {strategy: scale-free, space: {steps: auto}%s}
        train: {method: noisy-gd}
        """
        .formatted(dataSet, dataSet, Objects.requireNonNull(epsilon), shown, scored(card));
  }

  /** What private test rows need: their figure is charged as scores are, and so some are. */
  private String scored(DataCard card) {
    double whole = Objects.requireNonNull(epsilon);
    return card.data().test().filter(DataSource::isPrivate).isEmpty()
        ? ""
        : ", sweeps: [{epsilon: %s, trials: 2}], score: {on: private, epsilon: %s}"
            .formatted(PrintedNumber.down(whole / 10, 3), PrintedNumber.down(whole / 20, 3));
  }
}
