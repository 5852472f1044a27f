package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
