package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Gaussian;
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

/** {@code mutune cost gaussian}. */
@Command(
    name = "gaussian",
    description =
        "The cost of releases with Gaussian noise on all rows: --sigma and --steps, or --mu.")
final class CostGaussianCommand extends CostQuestionCommand {
  @Option(
      names = "--sigma",
      paramLabel = "SIGMA",
      description = "the noise's deviation, in units of one row's greatest contribution")
  private @Nullable String sigma;

  @Option(
      names = "--steps",
      paramLabel = "T",
      description = "the number of releases (default: 1)",
      defaultValue = "1")
  private String steps = "1";

  @Option(
      names = "--sensitivity",
      paramLabel = "S",
      description =
          "in the unit of --sigma (default: that of a sum of rows of norm 1: 1 under add-remove, 2"
              + " under replace-one)")
  private @Nullable String sensitivity;

  @Option(
      names = "--mu",
      paramLabel = "MU",
      description =
          "the parameter of Gaussian DP, in place of --sigma; of each of --steps releases")
  private @Nullable String mu;

  @Mixin private CostOptions options = new CostOptions();
  @Mixin private PlotOption plot = new PlotOption();

  @Override
  String answer() throws IOException {
    Releases releases = new Releases(List.of(mechanism()), adjacency());
    Cost cost = options.cost(releases, by());
    plot.draw(() -> CostPlot.tradeOff(releases), this);
    return json() ? ExactJson.document(cost.json()) : CostText.of(cost);
  }

  private Gaussian mechanism() {
    long count = needed("--steps", steps).count("--steps");
    if ((sigma == null) == (mu == null)) {
      throw new IllegalArgumentException("give --sigma or --mu, one of them");
    }
    if (mu != null) {
      if (sensitivity != null) {
        throw new IllegalArgumentException("--sensitivity goes with --sigma; --mu includes it");
      }
      double each = needed("--mu", mu).positive("--mu").up();
      return new Gaussian(NoiseMultiplier.of(1), each, count);
    }
    double size =
        sensitivity == null
            ? adjacency().sumSensitivity()
            : needed("--sensitivity", sensitivity).positive("--sensitivity").up();
    double noise = needed("--sigma", sigma).positive("--sigma").down();
    return new Gaussian(NoiseMultiplier.of(noise), size, count);
  }
}
