package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.attack.CanaryAudit;
import io.mutune.orchestrator.attack.CanaryReport;
import io.mutune.orchestrator.report.AttackDocument;
import io.mutune.trainer.attack.CanaryKind;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code mutune attack canary}. */
@Command(
    name = "canary",
    description =
        "Audit a whole study in one run: canaries take part by fair coins, and whoever sees all that is"
            + " released guesses them. Leaves attack.json, attack.html and attack-figures/.")
final class AttackCanaryCommand implements Callable<Integer> {
  private static final int GUESSED_PART = 10;

  @Mixin private AttackOptions options = new AttackOptions();

  @Option(
      names = "--canaries",
      paramLabel = "M",
      description = "how many coins are thrown (default: ${DEFAULT-VALUE})")
  private int canaries = 1000;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description =
          "gradient (a single feature), mislabelled, or amplified (along what momentum carries on);"
              + " default: ${DEFAULT-VALUE}")
  private String kind = "gradient";

  @Option(
      names = "--guesses",
      paramLabel = "K",
      description =
          "guesses at either end of the scores, fixed before the run (default: a tenth of the"
              + " canaries)")
  private @Nullable Integer guesses;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      description = "of the lower bound (default: ${DEFAULT-VALUE})")
  private double confidence = 0.99;

  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable AttackCommand parent;

  @Override
  public Integer call() throws IOException {
    AttackOptions.checkConfidence(confidence);
    CanaryKind of =
        CanaryKind.ofKey(kind)
            .orElseThrow(
                () ->
                    new UsageException(
                        "--kind must be one of " + CanaryKind.keys() + "; was " + kind));
    CanaryReport report;
    try {
      int each = guesses == null ? canaries / GUESSED_PART : guesses;
      report =
          new CanaryAudit(options.sweep(), of, canaries, each, confidence, options.seed())
              .run(StudySession.engine(), AttackOptions.heeding(AttackCommand.mutune(parent)));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return options.leave(AttackDocument.json(report), spec);
  }
}
