package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many protected rows did not fit is for whoever holds the file, at the terminal alone. */
class UnfitRowsToldTest {
  private static final String LINE =
      "mutune: data.private: 2 rows did not fit and were left out"
          + " (private: for whoever holds the file)";
  private static final String SAID = "did not fit";

  @TempDir Path folder;

  @BeforeEach
  void writeSweep() throws IOException {
    rows("1,2,0\n1,x,0\n3,4,1\n5,6,9\n5,6,2\n");
    Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        version: 1
        name: formed
        data:
          private: {path: rows, format: csv, features: 2, classes: 3, rows: 100}
        budget: {epsilon: 2, delta: 1.0e-5}
        search:
          strategy: scale-free
          space: {logitNoise: {min: 0.5, max: 2, scale: log}, steps: 2}
          sweeps: [{epsilon: 0.4, trials: 2}]
          score: {on: private, epsilon: 0.3}
        train: {method: noisy-gd, loss: softmax}
        """);
  }

  private void rows(String text) throws IOException {
    Files.writeString(folder.resolve("rows"), text);
  }

  private CommandRun command(String word) {
    return CommandRun.of(
            word, folder.resolve("sweep.yaml").toString(), "--no-check", "--output", runs())
        .succeeded();
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  /** What is left, the store with its log included. */
  private List<Path> left() throws IOException {
    try (Stream<Path> tree = Files.walk(Path.of(runs()))) {
      return tree.filter(Files::isRegularFile).toList();
    }
  }

  private void assertNothingLeftSaysIt() throws IOException {
    assertThat(left()).isNotEmpty();
    for (Path file : left()) {
      assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain(SAID);
    }
  }

  @Test
  void run_tellsItOnceOnStandardError_andLeavesItNowhere() throws IOException {
    CommandRun run = command("run");
    assertThat(run.err().lines().filter(line -> line.contains(SAID))).containsExactly(LINE);
    assertThat(run.out()).doesNotContain(SAID);
    assertNothingLeftSaysIt();
  }

  @Test
  void whereAllRowsFit_nothingIsSaid() throws IOException {
    rows("1,2,0\n3,4,1\n5,6,2\n");
    assertThat(command("run").err()).doesNotContain(SAID);
  }

  @Test
  void aWorker_tellsNobody() throws IOException {
    try (StudyStore store = Stores.open(folder.resolve("runs/mutune.db"))) {
      Path sweep = folder.resolve("sweep.yaml");
      Files.writeString(sweep, RegisteredSets.sweep(store, folder, Files.readString(sweep)));
    }
    CommandRun.of("submit", folder.resolve("sweep.yaml").toString(), "--output", runs())
        .succeeded();
    CommandRun worker = CommandRun.of("worker", "--until-idle", "--output", runs()).succeeded();
    assertThat(CommandRun.of("list", "--output", runs()).out()).contains("finished");
    assertThat(worker.err() + worker.out()).doesNotContain(SAID);
    assertNothingLeftSaysIt();
  }
}
