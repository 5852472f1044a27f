package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import tools.jackson.databind.node.ObjectNode;

/** Where a study stands, as the commands that change it answer. */
final class StudyLine {
  private StudyLine() {}

  /** The study's state as JSON, or its name alone with the state told on the side. */
  static void print(StudyStore store, StudyRecord study, boolean json, CliCommand command) {
    if (json) {
      ObjectNode document =
          Json.document()
              .put("study", study.id())
              .put("name", study.name())
              .put("state", Study.stateOf(store, study));
      study.reason().ifPresent(reason -> document.put("reason", reason));
      command.out().print(Json.write(document));
    } else {
      command.say(of(store, study));
      command.out().println(study.name() + "-" + study.id());
    }
    command.errors().flush();
    command.out().flush();
  }

  /** In words. */
  static String of(StudyStore store, StudyRecord study) {
    return "study "
        + study.id()
        + " is "
        + Study.stateOf(store, study)
        + study.reason().map(reason -> ": " + reason).orElse("");
  }
}
