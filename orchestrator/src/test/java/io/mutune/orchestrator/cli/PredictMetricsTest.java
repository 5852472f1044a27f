package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A released model, judged by the labels of a file. */
class PredictMetricsTest {
  @TempDir Path folder;

  private SmallSweep sweep;
  private String study;

  @BeforeEach
  void train() throws IOException {
    sweep = SmallSweep.in(folder).trials(0).steps(20);
    study = CommandRun.run(sweep).succeeded().folder().toString();
  }

  private CommandRun judged(String... more) {
    String[] words = {"predict", study, sweep.testRows().toString(), "--metrics"};
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return CommandRun.of(all);
  }

  @Test
  void onTheTestRows_itSaysWhatTheStudySaid() throws IOException {
    ObjectNode figures = Json.read(judged("--format", "json").succeeded().out());
    figures.remove("version");
    assertThat(figures)
        .isEqualTo(Json.read(Files.readString(Path.of(study, "result.json"))).path("test"));
    assertThat(judged().succeeded().out())
        .contains("On 100 rows: accuracy", "ROC curve", "log loss", "precision", "said 0");
  }

  /** Whose rows they are does not matter, and a test file need not say it. */
  @Test
  void aTableOfPeople_isJudgedWithoutTheirIds() throws IOException {
    String rows =
        IntStream.range(0, 60)
            .mapToObj(i -> "p%d,%d,%s\n".formatted(i, i % 10, i % 10 > 4 ? "yes" : "no"))
            .collect(Collectors.joining());
    Files.writeString(folder.resolve("people.csv"), "who,x,y\n" + rows);
    Path card =
        Files.writeString(
            folder.resolve("card.yaml"),
            """
            version: 1
            name: people
            columns:
              who: {type: id}
              x: {type: number, min: 0, max: 9}
              y: {type: label, values: [no, yes]}
            unit: {column: who, rows: 1, people: 60}
            private: {path: people.csv, format: csv, declared: simulated}
            """);
    String runs = folder.resolve("of-people").toString();
    CommandRun.of("data", "add", card.toString(), "--output", runs).succeeded();
    Path sweepFile =
        Files.writeString(
            folder.resolve("people.yaml"),
            """
            version: 1
            name: people
            data: people
            budget: {epsilon: 2, delta: 1.0e-4}
            search: {strategy: fixed, space: {logitNoise: 1, steps: 10}}
            """);
    study =
        CommandRun.of("run", sweepFile.toString(), "--output", runs)
            .succeeded()
            .folder()
            .toString();
    Path named = folder.resolve("people.csv");
    Path nobody = Files.writeString(folder.resolve("test.csv"), "# of 2026\nx,y\n0,no\n9,yes\n");
    for (Path file : List.of(named, nobody)) {
      String skipped = file.equals(nobody) ? "1" : "0";
      String[] words = {"predict", study, file.toString(), "--metrics", "--skip-lines", skipped};
      assertThat(CommandRun.of(words).succeeded().out())
          .startsWith(file.equals(nobody) ? "On 2 rows: accuracy" : "On 60 rows: accuracy");
    }
  }

  @Test
  void withoutLabels_itSaysWhatIsMissing() throws IOException {
    assertThat(judged("--label", "none").failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --metrics needs labels: name their column with --label");
    assertThat(judged("--type", "npy").failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --metrics needs labels in FILE, and npy keeps them in another file");
    Files.writeString(sweep.testRows(), "0.1,0.2,0.3,0.4,0.5,9\n");
    assertThat(judged().failedWith(ExitCode.INVALID)).contains("test.csv:1:");
  }
}
