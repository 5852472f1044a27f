package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;

import io.mutune.testing.SharedFolder;
import io.mutune.testing.TestNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Short sentences, and studies of them in a folder.
 *
 * @param folder of the sweep, its rows and its runs
 */
record TextSweep(Path folder) {
  /** Small, and seeded, so that two runs are alike but for what is changed. */
  static final String SWEEP =
      """
      version: 1
      name: text
      data:
        columns:
          words: {type: text, encoder: e5-small-v2}
          label: {type: label, values: ["0", "1"]}
        private: {declared: public, path: rows.tsv, format: tsv, header: false, rows: 60}
        test: {path: test.tsv}
      features: [{type: l2-normalize}]
      budget: {epsilon: 8, delta: 1.0e-3}
      search: {strategy: fixed, space: {logitNoise: 0.5, steps: 20}}
      train: {method: noisy-gd, loss: logistic}
      run: {noise: {seed: 7}}
      """;

  /** Whose private rows are the only ones. */
  static final String SWEEP_WITHOUT_TEST = SWEEP.replace("  test: {path: test.tsv}\n", "");

  static List<String> sentences(String part, int most) throws IOException {
    Path file = SharedFolder.file("data/sst2-" + part + ".tsv.gz");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().limit(most).toList();
    }
  }

  /** The shortest: a network's time is that of its tokens. */
  static List<String> shortOnes(String part, int most) throws IOException {
    return sentences(part, Math.max(1000, 3 * most)).stream()
        .sorted(Comparator.comparingInt(String::length))
        .limit(most)
        .toList();
  }

  /** At the same place each time, since a seed's noise is a sweep's. */
  Answer run(String sweep, List<String> rows, String... options) throws IOException {
    Files.write(folder.resolve("rows.tsv"), rows);
    Files.write(folder.resolve("test.tsv"), shortOnes("test", 40));
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    return mutune(
        Stream.concat(
                Stream.of("run", file.toString(), "--output", folder.resolve("runs").toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  /** Adds an encoder of three words, and says what of a card takes it. */
  static String small(Path scratch) throws IOException {
    Path network = TestNetwork.looksUp(3, 4).write(scratch.resolve("small.onnx"));
    Path tokenizer = TestNetwork.tokenizer(scratch.resolve("small.json"));
    mutune(
            "encoder",
            "add",
            network.toString(),
            "--name",
            "small",
            "--tokenizer",
            tokenizer.toString(),
            "--source",
            "a test's own")
        .succeeded();
    String shown = mutune("encoder", "show", "small").succeeded().out();
    return shown.substring(shown.indexOf("encoder: small"), shown.lastIndexOf('}'));
  }

  static List<String> smallRows() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add("a ".repeat(1 + i % 5) + (i % 2 == 0 ? "text" : "word") + "\t" + i % 2);
    }
    return rows;
  }
}
