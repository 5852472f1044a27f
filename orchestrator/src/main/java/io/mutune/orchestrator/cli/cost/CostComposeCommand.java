package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.compare.Releases;
import io.mutune.orchestrator.cost.CalibrationAnswer;
import io.mutune.orchestrator.cost.CalibrationQuestion;
import io.mutune.orchestrator.cost.CalibrationQuestion.Unknown;
import io.mutune.orchestrator.cost.Cost;
import io.mutune.orchestrator.cost.CostPlot;
import io.mutune.orchestrator.cost.CostText;
import io.mutune.orchestrator.cost.Decimal;
import io.mutune.orchestrator.cost.DecimalQuery;
import io.mutune.orchestrator.cost.ExactJson;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune cost compose}. */
@Command(
    name = "compose",
    description = "What releases of any kind cost together, and what is left of a total.")
final class CostComposeCommand extends CostQuestionCommand {
  @Mixin private ReleaseOptions parts = new ReleaseOptions();

  @Option(
      names = "--total",
      paramLabel = "EPSILON",
      description =
          "also say the largest epsilon of one more Gaussian run, at the same delta, that keeps the"
              + " total")
  private @Nullable String total;

  @Mixin private CostOptions options = new CostOptions();
  @Mixin private PlotOption plot = new PlotOption();

  @Override
  String answer() throws IOException {
    DecimalQuery query = options.query();
    Releases releases = parts.releases(adjacency(), query);
    Cost computed = options.cost(releases, by());
    Optional<Decimal> known = parts.knownCost(query);
    Cost cost = known.map(computed::knownAtMost).orElse(computed);
    Optional<CalibrationAnswer> left = Optional.empty();
    boolean passed = false;
    if (total != null) {
      if (!query.epsilon()) {
        throw new IllegalArgumentException("--total needs --delta");
      }
      passed = cost.passes(needed("--total", total), known);
      if (!passed) {
        left =
            new CalibrationQuestion(
                    Unknown.FINAL,
                    by(),
                    needed("--total", total),
                    query.at(),
                    adjacency(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalLong.empty(),
                    releases.mechanisms())
                .finalRun();
      }
    }
    plot.draw(() -> CostPlot.tradeOff(releases), this);
    if (json()) {
      ObjectNode json = cost.json();
      if (total != null) {
        json.put("fits", !passed);
        json.set("final", left.map(CalibrationAnswer::json).orElse(null));
      }
      return ExactJson.document(json);
    }
    String text = CostText.of(cost);
    return total == null ? text : text + CostText.left(total, passed, left);
  }
}
