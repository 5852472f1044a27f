package io.mutune.orchestrator.cli;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.accounting.Cost;
import io.mutune.orchestrator.accounting.CostQuestion;
import io.mutune.orchestrator.accounting.CostText;
import io.mutune.orchestrator.accounting.Numbers;
import io.mutune.orchestrator.accounting.StepsPlot;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune account dpsgd}. */
@Command(
    name = "dpsgd",
    description =
        "The cost of DP-SGD: steps with Gaussian noise, each on a Poisson sample of the rows.")
final class AccountDpSgdCommand extends AccountQuestion {
  @Option(
      names = "--sigma",
      required = true,
      paramLabel = "SIGMA",
      description = "the noise multiplier: the deviation in units of the clip norm")
  private @Nullable String sigma;

  @Option(
      names = {"--q", "--sampling-rate"},
      required = true,
      paramLabel = "Q",
      description = "with what probability each row is in a step's sample")
  private @Nullable String rate;

  @Option(names = "--steps", required = true, paramLabel = "T", description = "the number of steps")
  private @Nullable String steps;

  @Mixin private CostOptions options = new CostOptions();

  @Override
  String answer() throws IOException {
    SubsampledGaussian mechanism =
        new SubsampledGaussian(
            NoiseMultiplier.of(needed("--sigma", sigma).positive("--sigma").down()),
            needed("--q", rate).rate("--q"),
            adjacency().sumSensitivity(),
            needed("--steps", steps).count("--steps"));
    Releases releases = new Releases(List.of(mechanism), adjacency());
    Cost cost = new CostQuestion(releases, options.ask(), by(), options.compare()).answer();
    if (options.plot().isPresent()) {
      if (!options.ask().epsilon()) {
        throw new IllegalArgumentException("--plot draws epsilon against steps and needs --delta");
      }
      StepsPlot.of(mechanism, adjacency(), options.ask().at(), options.compare())
          .write(options.plot().get());
    }
    return json() ? Numbers.document(cost.json()) : CostText.of(cost);
  }
}
