package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.attack.NeighbourReport;
import io.mutune.orchestrator.attack.Neighbours;
import io.mutune.orchestrator.report.AttackDocument;
import io.mutune.orchestrator.report.ReleasedDocuments;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code mutune attack neighbours}. */
@Command(
    name = "neighbours",
    description =
        "Run the whole program on two neighbouring data sets and compare all that is released: a row"
            + " that adds nothing must change no byte, and a loud one must stay within epsilon.")
final class AttackNeighboursCommand implements Callable<Integer> {
  @Mixin private AttackOptions options = new AttackOptions();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "studies with the loud row, and as many without; 0 for the silent row alone (default:"
              + " ${DEFAULT-VALUE})")
  private int runs = 100;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      description = "of all lower bounds together (default: ${DEFAULT-VALUE})")
  private double confidence = 0.999999;

  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable AttackCommand parent;

  @Override
  public Integer call() throws IOException {
    AttackOptions.checkConfidence(confidence);
    NeighbourReport report;
    try {
      report =
          new Neighbours(options.sweep(), runs, confidence, options.seed())
              .run(
                  ReleasedDocuments::of,
                  StudySession.engine(),
                  AttackOptions.heeding(AttackCommand.mutune(parent)));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return options.leave(AttackDocument.json(report), spec);
  }
}
