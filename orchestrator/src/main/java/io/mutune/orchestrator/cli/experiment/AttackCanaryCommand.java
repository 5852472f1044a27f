package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.attack.AuditedStudy;
import io.mutune.orchestrator.attack.CanaryAudit;
import io.mutune.orchestrator.attack.CanaryReport;
import io.mutune.orchestrator.attack.ChargedStudy;
import io.mutune.orchestrator.attack.StudiesInMemory;
import io.mutune.orchestrator.attack.UnchargedStudy;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.cli.run.ClusterOption;
import io.mutune.orchestrator.cli.run.FormCheck;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.trainer.attack.CanaryKind;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mutune attack canary}. */
@Command(
    name = "canary",
    description =
        "Audit a whole study in one run: canaries take part by fair coins, and whoever sees all that is"
            + " released guesses them. Of private rows the study is one like any other, charged to the"
            + " sweep's account. Leaves attack.json, attack.html and attack-figures/.")
final class AttackCanaryCommand extends AttackRun {
  private static final int GUESSED_PART = 10;

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

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      description = "the folder to leave a study of private rows in (default: as of 'mutune run')")
  private @Nullable Path runs;

  @Mixin private PersonOption person = new PersonOption();
  @Mixin private FormCheck form = new FormCheck();
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Override
  void check() {
    checkConfidence(confidence);
    kind();
  }

  private CanaryKind kind() {
    return CanaryKind.ofKey(kind)
        .orElseThrow(
            () ->
                new UsageException("--kind must be one of " + CanaryKind.keys() + "; was " + kind));
  }

  @Override
  AttackDocument attack(SweepFile.Sweep sweep, RunEnvironment environment) throws IOException {
    Path folder =
        runs == null
            ? location().folder(sweep.definition().output().directory())
            : runs.toAbsolutePath().normalize();
    int each = guesses == null ? canaries / GUESSED_PART : guesses;
    CanaryAudit audit = new CanaryAudit(kind(), canaries, person.rows(), each, confidence, seed());
    return sweep.definition().data().declared().isOpen()
        ? ofOpenRows(audit, attackable(sweep, folder), environment)
        : ofPrivateRows(audit, newStudy(sweep, folder), folder, environment);
  }

  private SweepFile.Sweep newStudy(SweepFile.Sweep sweep, Path folder) throws IOException {
    ChargedStudy.check(sweep.definition());
    return checked(form, sweep, folder);
  }

  private AttackDocument ofOpenRows(
      CanaryAudit audit, AttackedSweep sweep, RunEnvironment environment) throws IOException {
    try (ClusterOption.Connection machines = cluster.open(sweep.sweep(), interruption());
        AuditedStudy study =
            new UnchargedStudy(
                sweep, new StudiesInMemory(sweep, environment.on(machines.cluster())))) {
      return AttackDocument.of(audit.run(study));
    }
  }

  private AttackDocument ofPrivateRows(
      CanaryAudit audit, SweepFile.Sweep sweep, Path folder, RunEnvironment environment)
      throws IOException {
    try (ClusterOption.Connection machines = cluster.open(sweep.definition(), interruption());
        StudyStore store = Stores.open(location().in(folder), folder);
        AuditedStudy study =
            new ChargedStudy(
                sweep.definition(),
                sweep.text(),
                sweep.context(),
                store,
                folder,
                StudyFolder::write,
                environment.keyed(DataKeys.here()).on(machines.cluster()))) {
      CanaryReport report = audit.run(study);
      AttackDocument document = AttackDocument.of(report);
      Path left = report.result().study().record().output();
      AttackPage.putInto(left.resolve("report.html"), document);
      return document;
    }
  }
}
