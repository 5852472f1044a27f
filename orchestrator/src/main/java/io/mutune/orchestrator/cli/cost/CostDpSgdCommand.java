package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.cost.Cost;
import io.mutune.orchestrator.cost.CostPlot;
import io.mutune.orchestrator.cost.CostText;
import io.mutune.orchestrator.cost.ExactJson;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune cost dpsgd}. */
@Command(
    name = "dpsgd",
    description =
        "The cost of DP-SGD: steps with Gaussian noise, each on a Poisson sample of the rows.")
final class CostDpSgdCommand extends CostQuestionCommand {
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
  @Mixin private PlotOption plot = new PlotOption();

  @Override
  String answer() throws IOException {
    SubsampledGaussian mechanism =
        new SubsampledGaussian(
            NoiseMultiplier.of(needed("--sigma", sigma).positive("--sigma").down()),
            needed("--q", rate).rate("--q"),
            adjacency().sumSensitivity(),
            needed("--steps", steps).count("--steps"));
    Releases releases = new Releases(List.of(mechanism), adjacency());
    Cost cost = options.cost(releases, by());
    plot.draw(
        () -> {
          if (!options.query().epsilon()) {
            throw new IllegalArgumentException(
                "--plot draws epsilon against steps and needs --delta");
          }
          return CostPlot.steps(mechanism, adjacency(), options.query().at(), options.compare());
        },
        this);
    return json() ? ExactJson.document(cost.json()) : CostText.of(cost);
  }
}
