package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cost.CalibrationAnswer;
import io.mutune.orchestrator.cost.CalibrationQuestion;
import io.mutune.orchestrator.cost.CalibrationQuestion.Unknown;
import io.mutune.orchestrator.cost.CostText;
import io.mutune.orchestrator.cost.Decimal;
import io.mutune.orchestrator.cost.ExactJson;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune cost calibrate}. */
@Command(
    name = "calibrate",
    description =
        "What keeps a budget: the least noise, the most steps, the largest samples, or the largest"
            + " final run beside other releases.")
final class CostCalibrateCommand extends CostQuestionCommand {
  @Option(
      names = "--epsilon",
      required = true,
      paramLabel = "EPSILON",
      description = "the budget's")
  private @Nullable String epsilon;

  @Option(names = "--delta", required = true, paramLabel = "DELTA", description = "the budget's")
  private @Nullable String delta;

  @Option(
      names = "--solve",
      required = true,
      paramLabel = "sigma|steps|q|final",
      description = "what to solve for; sigma, steps and q need the other two, final only parts")
  private String solve = "";

  @Option(names = "--sigma", paramLabel = "SIGMA", description = "the noise multiplier")
  private @Nullable String sigma;

  @Option(names = "--steps", paramLabel = "T", description = "the number of steps")
  private @Nullable String steps;

  @Option(
      names = {"--q", "--sampling-rate"},
      paramLabel = "Q",
      description = "the sampling rate (default: 1, all rows in every step)")
  private @Nullable String rate;

  @Mixin private ReleaseOptions parts = new ReleaseOptions();

  @Override
  String answer() throws IOException {
    Decimal at = needed("--delta", delta);
    CalibrationAnswer found =
        new CalibrationQuestion(
                Unknown.ofKey(solve),
                by(),
                needed("--epsilon", epsilon),
                at,
                adjacency(),
                sigma == null
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(needed("--sigma", sigma).positive("--sigma").down()),
                rate == null
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(needed("--q", rate).rate("--q")),
                steps == null
                    ? OptionalLong.empty()
                    : OptionalLong.of(needed("--steps", steps).count("--steps")),
                parts.mechanisms(adjacency(), Optional.of(at)))
            .answer();
    return json() ? ExactJson.document(found.json()) : CostText.of(found);
  }
}
