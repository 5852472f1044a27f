package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.compare.ComparedStrategy;
import io.mutune.orchestrator.compare.ComparisonRunner;
import io.mutune.orchestrator.compare.ComparisonSize;
import io.mutune.orchestrator.compare.Journal;
import io.mutune.orchestrator.compare.Outcome;
import io.mutune.orchestrator.compare.RateRange;
import io.mutune.orchestrator.compare.StrategyComparison;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ComparisonDocument;
import io.mutune.orchestrator.report.ComparePage;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.StudyDataFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune compare}. */
@Command(
    name = "compare",
    description =
        "Hold search strategies against each other at the same total budget, everything charged, on"
            + " rows that the sweep declares public or simulated. Leaves compare.json, compare.html and compare-figures/.")
final class CompareCommand extends ExperimentCommand {
  private static final int MOST_REPEATS = 1000;

  @Mixin private SweepFile file = new SweepFile();

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "STRATEGY",
      description =
          "random, grid, random-stopping, fixed, scale-free, linear-scaling, successive-halving,"
              + " subsampled-tuning, linear-scaling-paper (default: all but the last three, of those"
              + " that the sweep can have)")
  private List<String> with = List.of();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "how often each is run (default: ${DEFAULT-VALUE})")
  private int repeat = 10;

  @Option(
      names = "--looks",
      paramLabel = "N",
      description =
          "how often each point of the oracle's lattice is run at first; the better third of them"
              + " then three times as often, and so on up to --repeat (default: as --repeat)")
  private @Nullable Integer looks;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description =
          "keep the figures of each study that ended there, and do not run again what is there:"
              + " for one Mutune and one JDK")
  private @Nullable Path journal;

  @Option(
      names = "--range",
      paramLabel = "RANGE",
      description =
          "of learning rates, for strategies that need one: sensible (0.1 to 7.5, the default) or"
              + " careless (to 100)")
  private String range = "sensible";

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "of all points and all noise (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where to leave the figures (default: ${DEFAULT-VALUE})")
  private Path output = Path.of("compare.json");

  @Mixin private StoreOption location = new StoreOption();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    List<ComparedStrategy> strategies = strategies();
    if (repeat < 1 || repeat > MOST_REPEATS) {
      throw new UsageException("--repeat must be from 1 to " + MOST_REPEATS + "; was " + repeat);
    }
    if (looks != null && (looks < 1 || looks > repeat)) {
      throw new UsageException("--looks must be from 1 to --repeat; was " + looks);
    }
    if (seed < 0 || seed > 1_000_000_000L) {
      throw new UsageException("--seed must be from 0 to 1000000000; was " + seed);
    }
    RateRange rates =
        RateRange.ofKey(range)
            .orElseThrow(
                () ->
                    new UsageException(
                        "--range must be one of " + RateRange.keys() + "; was " + range));
    SweepFile.Sweep sweep = file.read(location.cards());
    file.requireKept(sweep, output);
    FileOwners owners = location.owners(sweep.definition().output().directory());
    ComparisonRunner runner;
    try {
      runner =
          new ComparisonRunner(
              sweep.definition(),
              sweep.text(),
              sweep.context(),
              new ComparisonSize(rates, repeat, looks == null ? repeat : looks, seed),
              strategies,
              owners);
    } catch (IllegalArgumentException e) {
      throw new UsageException(file.path() + ": " + e.getMessage());
    }
    runner.leftOut().forEach(why -> say("left out: " + why));
    StudyDataFiles.of(owners, sweep.definition());
    OutputFile.makePlaces(output);
    if (Files.exists(output)) {
      say(
          output
              + " is there already and will be replaced at the end, with its page and figures;"
              + " --output FILE leaves it as it is");
    }
    StrategyComparison comparison =
        runner.run(
            environment(),
            journal == null ? Journal.none(Outcome.class) : Journal.in(journal, Outcome.class),
            this::tell);
    ComparisonDocument document = ComparisonDocument.of(comparison);
    String json = Json.write(document);
    List<Path> left =
        OutputFile.writeWithPage(
            output,
            json,
            () -> ComparePage.html(document),
            figures -> ComparePage.writeFigures(document, figures));
    out().print(format.json() ? json : document.text() + "\n");
    // Beside a document the names are no answer.
    left.forEach(path -> (format.json() ? errors() : out()).println(path));
    out().flush();
    return ExitCode.DONE;
  }

  private List<ComparedStrategy> strategies() {
    List<ComparedStrategy> strategies = new ArrayList<>();
    for (String name : with) {
      ComparedStrategy strategy =
          ComparedStrategy.ofKey(name)
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--with takes " + ComparedStrategy.keys() + "; was '" + name + "'"));
      if (strategies.contains(strategy)) {
        throw new UsageException("--with names " + name + " twice");
      }
      strategies.add(strategy);
    }
    return strategies;
  }
}
