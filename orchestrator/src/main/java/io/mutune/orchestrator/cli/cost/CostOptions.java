package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.Releases;
import io.mutune.orchestrator.cost.Cost;
import io.mutune.orchestrator.cost.CostQuestion;
import io.mutune.orchestrator.cost.DecimalQuery;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The delta or the epsilon of a cost question, and how many answers there are. */
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

  DecimalQuery query() {
    if ((delta == null) == (epsilon == null)) {
      throw new IllegalArgumentException(
          "give --delta to get epsilon, or --epsilon to get delta, one of them");
    }
    return delta == null
        ? DecimalQuery.deltaAt(CostQuestionCommand.needed("--epsilon", epsilon))
        : DecimalQuery.epsilonAt(CostQuestionCommand.needed("--delta", delta));
  }

  /** The cost of releases. */
  Cost cost(Releases releases, Optional<Accountant> by) {
    return new CostQuestion(releases, query(), by, compare).answer();
  }

  boolean compare() {
    return compare;
  }
}
