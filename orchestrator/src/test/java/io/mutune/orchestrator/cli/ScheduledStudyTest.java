package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduledStudyTest {
  @TempDir Path folder;

  /** Its owner has to see at the command line what will draw on the budget next. */
  @Test
  void aScheduleThatWaits_isListedWithItsTime_untilItIsCancelled() throws IOException {
    OwnedTable table = OwnedTable.in(folder);
    table
        .mutune("data", "add", table.card("first", "rows.csv", "budget: {mu: 5}", "").toString())
        .succeeded();
    Path sweep =
        table.write(
            "sweep.yaml",
            """
            version: 1
            name: yearly
            schedule: 0 0 3 1 1 ?
            data: first
            budget: {epsilon: 1, delta: 1.0e-4}
            search: {strategy: fixed, space: {logitNoise: 1, steps: 4}}
            """);
    table.mutune("submit", sweep.toString()).succeeded();
    table.mutune("worker", "--until-idle").succeeded();

    String again = "yearly-[0-9a-f]{8} runs again at [0-9]{4}-01-01T03:00:00Z";
    assertThat(table.mutune("list").succeeded().out()).containsPattern(again);
    assertThat(table.mutune("status").succeeded().out()).containsPattern(again);
    String json = table.mutune("list", "--format", "json").succeeded().out();
    var study = Json.read(json).path("studies").path(0);
    assertThat(study.path("next").asString()).endsWith("-01-01T03:00:00Z");
    assertThat(table.mutune("resume", "yearly").err())
        .contains("the newest of that name is yearly-" + study.path("study").asString());

    table.mutune("cancel", study.path("study").asString()).succeeded();
    assertThat(table.mutune("list").succeeded().out()).doesNotContain("runs again");
  }
}
