package io.mutune.orchestrator.cli;

import io.mutune.accountant.compare.Releases;
import io.mutune.orchestrator.accounting.Ask;
import io.mutune.orchestrator.accounting.Calibrated;
import io.mutune.orchestrator.accounting.Calibration;
import io.mutune.orchestrator.accounting.Calibration.Unknown;
import io.mutune.orchestrator.accounting.Cost;
import io.mutune.orchestrator.accounting.CostQuestion;
import io.mutune.orchestrator.accounting.CostText;
import io.mutune.orchestrator.accounting.Numbers;
import io.mutune.orchestrator.accounting.TradeOffPlot;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune account compose}. */
@Command(
    name = "compose",
    description = "What releases of any kind cost together, and what is left of a total.")
final class AccountComposeCommand extends AccountQuestion {
  @Mixin private PartOptions parts = new PartOptions();

  @Option(
      names = "--total",
      paramLabel = "EPSILON",
      description =
          "also say the largest epsilon of one more Gaussian run, at the same delta, that keeps the"
              + " total")
  private @Nullable String total;

  @Mixin private CostOptions options = new CostOptions();

  @Override
  String answer() throws IOException {
    Ask ask = options.ask();
    Releases releases = parts.releases(adjacency(), ask);
    Cost asked = new CostQuestion(releases, ask, by(), options.compare()).answer();
    Cost cost = parts.knownCost(ask).map(asked::knownAtMost).orElse(asked);
    Optional<Calibrated> left = Optional.empty();
    boolean passed = false;
    if (total != null) {
      if (!ask.epsilon()) {
        throw new IllegalArgumentException("--total needs --delta");
      }
      passed = cost.bound().upper() > needed("--total", total).down();
      if (!passed) {
        left =
            Optional.of(
                new Calibration(
                        Unknown.FINAL,
                        by(),
                        needed("--total", total),
                        ask.at(),
                        adjacency(),
                        OptionalDouble.empty(),
                        1,
                        OptionalLong.empty(),
                        releases.mechanisms())
                    .answer());
      }
    }
    if (options.plot().isPresent()) {
      TradeOffPlot.of(releases).write(options.plot().get());
    }
    if (json()) {
      ObjectNode json = cost.json();
      if (total != null) {
        json.put("fits", !passed);
        json.set("final", left.map(Calibrated::json).orElse(null));
      }
      return Numbers.document(json);
    }
    String text = CostText.of(cost);
    return total == null ? text : text + CostText.left(total, left);
  }
}
