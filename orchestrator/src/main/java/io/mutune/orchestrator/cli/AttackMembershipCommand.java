package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.attack.MembershipAttack;
import io.mutune.orchestrator.attack.MembershipReport;
import io.mutune.orchestrator.report.AttackDocument;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.ModelDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune attack membership}. */
@Command(
    name = "membership",
    description =
        "Tell rows of data.private, which took part, from rows of data.test, which did not, by a"
            + " released model. Leaves attack.json, attack.html and attack-figures/.")
final class AttackMembershipCommand implements Callable<Integer> {
  @Mixin private AttackOptions options = new AttackOptions();

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

  @Spec private @Nullable CommandSpec spec;
  @ParentCommand private @Nullable AttackCommand parent;

  @Override
  public Integer call() throws IOException {
    Optional<MembershipAttack.Target> target = Optional.empty();
    if (study != null) {
      target = Optional.of(target(study));
    }
    MembershipReport report;
    try {
      report =
          new MembershipAttack(options.sweep(), references, options.seed())
              .run(
                  target,
                  StudySession.engine(),
                  AttackOptions.heeding(AttackCommand.mutune(parent)));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    ObjectNode document = AttackDocument.json(report);
    if (study != null) {
      AttackPage.putInto(study.resolve("report.html"), document);
    }
    return options.leave(document, spec);
  }

  private static MembershipAttack.Target target(Path folder) throws IOException {
    ModelDocument.StoredModel stored = ModelDocument.read(folder);
    ObjectNode statement = Json.read(Files.readString(folder.resolve("statement.json")));
    JsonNode accuracy =
        Json.read(Files.readString(folder.resolve("result.json"))).path("testAccuracy");
    return new MembershipAttack.Target(
        stored.model(),
        stored.features(),
        statement.path("epsilon").asDouble(Double.NaN),
        statement.path("guarantee").asString("").equals("holds"),
        accuracy.isNumber() ? OptionalDouble.of(accuracy.asDouble()) : OptionalDouble.empty());
  }
}
