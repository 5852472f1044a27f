package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
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
      if (format.json()) {
        ObjectNode json = Json.document();
        ArrayNode array = json.putArray("studies");
        for (StudyRecord study : studies) {
          array
              .addObject()
              .put("study", study.id())
              .put("name", study.name())
              .put("state", Study.stateOf(study))
              .put("created", study.created().toString())
              .put("folder", study.output().toString());
        }
        Output.of(spec).print(Json.write(json));
        return ExitCode.DONE;
      }
      TextTable table = new TextTable("study", "name", "state", "created", "folder");
      for (StudyRecord study : studies) {
        table.row(
            study.id(),
            study.name(),
            Study.stateOf(study),
            study.created().toString(),
            study.output().toString());
      }
      Output.of(spec).print(table);
      return ExitCode.DONE;
    }
  }
}
