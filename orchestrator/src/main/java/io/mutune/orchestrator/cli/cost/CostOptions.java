package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cost.DecimalQuery;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The delta or the epsilon of a cost question, and what is shown beside the answer. */
final class CostOptions {
  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      description = "the delta at which epsilon is wanted")
  private @Nullable String delta;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      description = "the epsilon at which delta is wanted, in place of --delta")
  private @Nullable String epsilon;

  @Option(
      names = "--compare",
      description = "show what every accountant says, and why some say nothing")
  private boolean compare;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description =
          "draw it: the trade-off curve, or for dpsgd epsilon against steps; written to this file")
  private @Nullable Path plot;

  DecimalQuery query() {
    if ((delta == null) == (epsilon == null)) {
      throw new IllegalArgumentException(
          "give --delta to get epsilon, or --epsilon to get delta, one of them");
    }
    return delta == null
        ? DecimalQuery.deltaAt(CostQuestionCommand.needed("--epsilon", epsilon))
        : DecimalQuery.epsilonAt(CostQuestionCommand.needed("--delta", delta));
  }

  boolean compare() {
    return compare;
  }

  Optional<Path> plot() {
    return Optional.ofNullable(plot);
  }
}
