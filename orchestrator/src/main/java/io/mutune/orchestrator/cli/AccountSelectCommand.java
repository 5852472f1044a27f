package io.mutune.orchestrator.cli;

import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.orchestrator.accounting.Cost;
import io.mutune.orchestrator.accounting.CostQuestion;
import io.mutune.orchestrator.accounting.CostText;
import io.mutune.orchestrator.accounting.Decimal;
import io.mutune.orchestrator.accounting.Numbers;
import io.mutune.orchestrator.accounting.Parts;
import io.mutune.orchestrator.accounting.Trials;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune account select}. */
@Command(
    name = "select",
    description =
        "The cost of random stopping: only the best of a secret, random number of runs is released"
            + " (Papernot and Steinke 2022).")
final class AccountSelectCommand extends AccountQuestion {
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
    List<Mechanism> runs = Parts.of(run, adjacency(), Optional.empty());
    if (runs.size() != 1) {
      throw new IllegalArgumentException("a selection is among runs of one mechanism; was " + run);
    }
    if (options.plot().isPresent()) {
      throw new IllegalArgumentException("--plot draws no selection");
    }
    Mechanism selection =
        new RepeatAndSelect(runs.get(0), Trials.ofMean(shape(), needed("--mean", mean)));
    Cost cost =
        new CostQuestion(
                new Releases(List.of(selection), adjacency()),
                options.ask(),
                by(),
                options.compare())
            .answer();
    return json() ? Numbers.document(cost.json()) : CostText.of(cost);
  }

  private Decimal shape() {
    String text =
        switch (shape.toLowerCase(Locale.ROOT)) {
          case "logarithmic" -> "0";
          case "geometric" -> "1";
          case "poisson" -> "inf";
          default -> shape;
        };
    return Decimal.of("--shape", text);
  }
}
