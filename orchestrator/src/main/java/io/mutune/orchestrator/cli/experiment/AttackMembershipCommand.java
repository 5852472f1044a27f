package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.attack.MembershipAttack;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.study.RunEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mutune attack membership}. */
@Command(
    name = "membership",
    description =
        "Tell rows of data.private, which took part, from rows of data.test, which did not, by a"
            + " released model. Leaves attack.json, attack.html and attack-figures/.")
final class AttackMembershipCommand extends AttackRun {
  @Option(
      names = "--study",
      paramLabel = "DIR",
      description =
          "the folder of a study of this sweep, whose model is attacked and whose report.html gets a"
              + " section (default: a study is run for it)")
  private @Nullable Path study;

  @Option(
      names = "--references",
      paramLabel = "N",
      description =
          "studies on random halves of all rows, for the likelihood ratio (default: none, the loss"
              + " alone)")
  private int references;

  @Override
  AttackDocument attack(SweepFile.Sweep sweep, RunEnvironment environment) throws IOException {
    Path folder =
        study == null ? sweep.definition().output().directory() : Stores.beside(study.resolve(""));
    if (study != null) {
      requireOwn(study, sweep);
    }
    AttackedSweep attacked = attackable(sweep, folder);
    Optional<MembershipAttack.Target> target =
        study == null ? Optional.empty() : Optional.of(target(study));
    AttackDocument document =
        AttackDocument.of(
            new MembershipAttack(attacked, references, seed()).run(target, environment));
    if (study != null) {
      AttackPage.putInto(study.resolve("report.html"), document);
    }
    return document;
  }

  /** Other files than the study's would be read, and what they say would stand in its report. */
  private static void requireOwn(Path study, SweepFile.Sweep sweep) throws IOException {
    if (!Files.readString(study.resolve(StudyFolder.SWEEP)).equals(sweep.text())) {
      throw new UsageException(
          "--study %s: is of another sweep; name the one that it was run with, unchanged"
              .formatted(study));
    }
    if (Files.exists(study.resolve(ModelCard.JSON))) {
      throw new UsageException(
          "--study %s: has a card, which no other report.html would fit: move card.md, card.json and card.json.sig away, and write a new one after"
              .formatted(study));
    }
  }

  private static MembershipAttack.Target target(Path folder) throws IOException {
    StoredModel stored = ModelDocument.read(folder);
    StatementDocument statement = StatementDocument.in(folder);
    ResultDocument result =
        Json.read(Files.readString(folder.resolve(ResultDocument.FILE)), ResultDocument.class);
    return new MembershipAttack.Target(
        stored.model(),
        stored.features(),
        statement.epsilon(),
        statement.holds() ? List.of() : List.of(statement.why().orElse("unknown")),
        result.testAccuracy());
  }
}
