package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.cost.Decimal;
import io.mutune.orchestrator.cost.DecimalQuery;
import io.mutune.orchestrator.cost.ReleaseParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The releases of a cost question, written on the command line or in a file. */
final class ReleaseOptions {
  @Parameters(
      paramLabel = "PART",
      arity = "0..*",
      description = {
        "COUNTxEPSILON, Gaussian runs that are each (EPSILON, DELTA)-DP, as in 3x0.2;",
        "or a mechanism, as in gaussian:sigma=20,count=28 or laplace:scale=10,count=3;",
        "or a JSON mechanism or list of them"
      })
  private List<String> parts = List.of();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description =
          "a JSON list of mechanisms, or a statement.json with its charges; - is"
              + " standard input")
  private @Nullable String file;

  Releases releases(Adjacency adjacency, DecimalQuery query) throws IOException {
    List<Mechanism> mechanisms =
        mechanisms(adjacency, query.epsilon() ? Optional.of(query.at()) : Optional.empty());
    if (parts.isEmpty() && file == null) {
      throw new IllegalArgumentException("give a PART or --file");
    }
    return new Releases(mechanisms, adjacency);
  }

  /** The ε that all parts together are known to cost at most, where the query is at a δ. */
  Optional<Decimal> knownCost(DecimalQuery query) {
    return query.epsilon() && file == null && parts.size() == 1
        ? ReleaseParser.knownCost(parts.get(0))
        : Optional.empty();
  }

  List<Mechanism> mechanisms(Adjacency adjacency, Optional<Decimal> delta) throws IOException {
    List<Mechanism> mechanisms = new ArrayList<>();
    for (String part : parts) {
      mechanisms.addAll(ReleaseParser.parse(part, adjacency, delta));
    }
    if (file != null) {
      mechanisms.addAll(
          ReleaseParser.parseDocument(
              InputText.name(file), InputText.read(file), adjacency, delta));
    }
    return mechanisms;
  }
}
