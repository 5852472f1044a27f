package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.orchestrator.cost.Cost;
import io.mutune.orchestrator.cost.CostText;
import io.mutune.orchestrator.cost.Decimal;
import io.mutune.orchestrator.cost.ExactJson;
import io.mutune.orchestrator.cost.ReleaseParser;
import io.mutune.orchestrator.cost.TrialCounts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune cost select}. */
@Command(
    name = "select",
    description =
        "The cost of random stopping: only the best of a secret, random number of runs is released"
            + " (Papernot and Steinke 2022).")
final class CostSelectCommand extends CostQuestionCommand {
  @Parameters(
      paramLabel = "RUN",
      description =
          "one run whole, its score included, as in gaussian:sigma=20,count=100 or"
              + " subsampled-gaussian:sigma=1,samplingRate=0.01,count=1000")
  private String run = "";

  @Option(
      names = "--mean",
      required = true,
      paramLabel = "K",
      description = "the mean number of runs")
  private @Nullable String mean;

  @Option(
      names = "--shape",
      paramLabel = "ETA",
      description =
          "of the law of the number of runs: logarithmic (0), geometric (1), poisson, or the shape of"
              + " a truncated negative binomial, above -1 (default: geometric)",
      defaultValue = "geometric")
  private String shape = "geometric";

  @Mixin private CostOptions options = new CostOptions();

  @Override
  String answer() {
    if (!run.strip().matches("(?s)[a-zA-Z{\\[].*")) {
      throw new IllegalArgumentException(
          "RUN is a mechanism with its noise, such as gaussian:sigma=20; was " + run);
    }
    List<Mechanism> runs = ReleaseParser.parse(run, adjacency(), Optional.empty());
    if (runs.size() != 1) {
      throw new IllegalArgumentException("a selection is among runs of one mechanism; was " + run);
    }
    Mechanism selection =
        new RepeatAndSelect(runs.get(0), TrialCounts.ofMean(shape(), needed("--mean", mean)));
    Cost cost = options.cost(new Releases(List.of(selection), adjacency()), by());
    return json() ? ExactJson.document(cost.json()) : CostText.of(cost);
  }

  private Decimal shape() {
    String text =
        switch (shape.toLowerCase(Locale.ROOT)) {
          case "logarithmic" -> "0";
          case "geometric" -> "1";
          case "poisson" -> "inf";
          default -> shape;
        };
    try {
      return Decimal.of("--shape", text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--shape must be geometric, logarithmic, poisson or a number; was " + shape, e);
    }
  }
}
