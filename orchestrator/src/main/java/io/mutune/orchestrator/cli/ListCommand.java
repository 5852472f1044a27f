package io.mutune.orchestrator.cli;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.report.GuaranteeNote;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune list}. */
@Command(name = "list", description = "List the studies of a store, oldest first.")
final class ListCommand implements Callable<Integer> {
  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      List<StudyRecord> studies = store.studies();
      Output.of(spec).print(format.json() ? json(store, studies) : table(store, studies));
      return ExitCode.DONE;
    }
  }

  private static String json(StudyStore store, List<StudyRecord> studies) {
    ObjectNode json = Json.document();
    ArrayNode array = json.putArray("studies");
    for (StudyRecord study : studies) {
      ObjectNode entry = array.addObject().put("study", study.id()).put("name", study.name());
      entry.put("state", Study.stateOf(store, study));
      if (study.state() != StudyState.REFUSED) {
        voidReasons(study).ifPresent(r -> entry.setAll(Json.tree(GuaranteeNote.of(r))));
      }
      entry.put("created", study.created().toString());
      entry.put("folder", study.output().toString());
    }
    return Json.write(json);
  }

  private static String table(StudyStore store, List<StudyRecord> studies) {
    TextTable table = new TextTable("study", "name", "state", "epsilon", "created", "folder");
    for (StudyRecord study : studies) {
      table.row(
          study.id(),
          study.name(),
          Study.stateOf(store, study),
          guarantee(study),
          study.created().toString(),
          study.output().toString());
    }
    return table.toString();
  }

  /** A refused study asked nothing and states nothing. */
  private static String guarantee(StudyRecord study) {
    return study.state() == StudyState.REFUSED
        ? "-"
        : voidReasons(study)
            .map(reasons -> reasons.isEmpty() ? "holds" : "DOES NOT HOLD")
            .orElse("unknown");
  }

  /** Why the stated epsilon does not hold; nothing of a study that this version cannot plan. */
  private static Optional<List<String>> voidReasons(StudyRecord study) {
    try {
      return Optional.of(VoidReasons.of(Study.ofRecord(study).plan()));
    } catch (InvalidSweepException | OverBudgetException e) {
      return Optional.empty();
    }
  }
}
