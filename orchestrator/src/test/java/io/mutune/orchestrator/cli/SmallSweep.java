package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * A sweep over made-up rows that a test can have its own way: by default scale-free, three trials,
 * charged scores on private rows.
 */
final class SmallSweep {
  static final int CLASSES = 3;

  private final Path folder;
  private int steps = 40;
  private int trials = 3;
  private int parallel = 1;
  private long publicRows = 400;
  private String account = "";
  private String noise = "secure";
  private String description = "";
  private double scaleMax = 1;
  private String train = "{method: noisy-gd, loss: softmax}";
  private String publicFile = "";
  private String stated = "";
  private String declared = "";
  private String search = "";
  private String ending = "";

  private SmallSweep(Path folder) {
    this.folder = folder;
  }

  /** With 400 rows of 5 features in {@code private.csv} and 100 in {@code test.csv}. */
  static SmallSweep in(Path folder) throws IOException {
    writeRows(folder.resolve("private.csv"), 400, 5, 1);
    writeRows(folder.resolve("test.csv"), 100, 5, 2);
    return new SmallSweep(folder);
  }

  /** With both files packed: one that is damaged cannot be read as a whole. */
  SmallSweep packed() throws IOException {
    ending = ".gz";
    writeRows(privateRows(), 400, 5, 1);
    writeRows(testRows(), 100, 5, 2);
    return this;
  }

  /** Rows around one centre a class, all values in [0, 1]. */
  static void writeRows(Path file, int rows, int features, long seed) throws IOException {
    Random random = new Random(seed);
    OutputStream bytes = Files.newOutputStream(file);
    try (OutputStream out = file.toString().endsWith(".gz") ? new GZIPOutputStream(bytes) : bytes;
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
      for (int row = 0; row < rows; row++) {
        int label = random.nextInt(CLASSES);
        List<String> cells = new ArrayList<>();
        for (int j = 0; j < features; j++) {
          double value = (j % CLASSES == label ? 0.8 : 0.3) + random.nextGaussian() / 10;
          cells.add(String.format(Locale.ROOT, "%.6f", Math.min(1, Math.max(0, value))));
        }
        cells.add(Integer.toString(label));
        writer.write(String.join(",", cells) + "\n");
      }
    }
  }

  SmallSweep steps(int steps) {
    this.steps = steps;
    return this;
  }

  /** 0 makes the sweep a fixed one. */
  SmallSweep trials(int trials) {
    this.trials = trials;
    return this;
  }

  SmallSweep parallel(int trialsAtOnce) {
    this.parallel = trialsAtOnce;
    return this;
  }

  SmallSweep publicRows(long rows) {
    this.publicRows = rows;
    return this;
  }

  /** For rows that are simulated, as these are: no others are trained on with known noise. */
  SmallSweep seed(long seed) {
    this.noise = "{seed: " + seed + "}";
    this.declared = ", declared: simulated";
    return this;
  }

  /** As studies have it that were begun when private rows might have a seed. */
  SmallSweep earlierSeed(long seed) {
    this.noise = "{seed: " + seed + "}";
    return this;
  }

  /** Such a study in the store, and the words that run it. */
  String[] earlier(String... more) throws IOException {
    Path file = write();
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.readStored(file.toString(), text, context));
    try (StudyStore store = Stores.open(store())) {
      Study.create(plan, text, context, runs()).enter(store);
    }
    return command("resume", more);
  }

  SmallSweep noise(String noise) {
    this.noise = noise;
    return this;
  }

  SmallSweep description(String text) {
    this.description = text;
    return this;
  }

  /** The upper bound of the features. */
  SmallSweep scaleMax(double max) {
    this.scaleMax = max;
    return this;
  }

  /** States how many columns the rows have beside the label. */
  SmallSweep stated() {
    stated += ", features: 5";
    return this;
  }

  /** Says that the rows need no protection. */
  SmallSweep declaredPublic() {
    declared = ", declared: public";
    return this;
  }

  /** Models beside the final one, as the sweep lists their ε. */
  SmallSweep releases(String list) {
    account += ", releases: " + list;
    return this;
  }

  /** The account that the study draws on. */
  SmallSweep account(String name) {
    account += ", account: " + name;
    return this;
  }

  /** Rows to score on, in {@code validation.csv}, that need protection too. */
  SmallSweep privateValidation() throws IOException {
    writeRows(folder.resolve("validation.csv"), 100, 5, 3);
    publicFile = "\n  validation: {path: validation.csv, private: true, rows: 100}";
    return this;
  }

  /** A program that the card of the data set names, once the sweep is submitted. */
  SmallSweep trainers(String name, String command) {
    publicFile = "\n  trainers: {%s: {command: %s, silence: 60}}".formatted(name, command);
    return this;
  }

  /** What stands after {@code search:}, in place of the usual. */
  SmallSweep search(String yaml) {
    search = yaml;
    return this;
  }

  /** What stands after {@code train:}. */
  SmallSweep train(String yaml) {
    this.train = yaml;
    return this;
  }

  /** AdaMix from 30 public rows in {@code public.csv}. */
  SmallSweep adaMix() throws IOException {
    writeRows(folder.resolve("public.csv"), 30, 5, 9);
    stated = ", features: 5";
    publicFile = "\n  public: {path: public.csv}";
    return train("{method: adamix}");
  }

  Path privateRows() {
    return folder.resolve("private.csv" + ending);
  }

  Path testRows() {
    return folder.resolve("test.csv" + ending);
  }

  Path runs() {
    return folder.resolve("runs");
  }

  Path store() {
    return runs().resolve(StoreOption.FILE);
  }

  /** Writes the sweep file and gives the words of a command on it that uses {@link #runs}. */
  String[] command(String name, String... more) {
    List<String> words = new ArrayList<>(List.of(name));
    if (name.equals("compare")) {
      words.add(write().toString());
      Collections.addAll(words, more);
      return words.toArray(String[]::new);
    }
    if (name.equals("run")) {
      words.add(write().toString());
    } else if (name.equals("submit")) {
      words.add(registered(List.of(more)).toString());
    }
    Collections.addAll(words, "--output", runs().toString());
    Collections.addAll(words, more);
    return words.toArray(String[]::new);
  }

  /** With the name of a data set that is registered in the store of a command. */
  private Path registered(List<String> more) {
    int option = more.indexOf("--store");
    String location = option < 0 ? store().toString() : more.get(option + 1);
    try (StudyStore opened = Stores.open(StoreLocation.of(location), runs())) {
      return write(RegisteredSets.sweep(opened, folder, text()));
    }
  }

  private Path write() {
    return write(text());
  }

  private Path write(String text) {
    try {
      return Files.writeString(folder.resolve("sweep.yaml"), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text() {
    String own =
        !search.isEmpty()
            ? "search: " + search + "\n"
            : trials == 0
                ? """
                search:
                  strategy: fixed
                  space: {logitNoise: 1, steps: %d}
                """
                    .formatted(steps)
                : """
                search:
                  strategy: scale-free
                  space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: %d}
                  sweeps:
                    - {epsilon: 0.4, trials: %d}
                  score: {on: private, epsilon: 0.3}
                """
                    .formatted(steps, trials);
    return """
    version: 1
    name: small
    description: "%s"
    data:
      private: {path: private.csv%s, format: csv, label: last, classes: %d, rows: %d%s}
      test: {path: test.csv%s}%s
    features:
      - {type: scale, min: 0, max: %s}
      - {type: l2-normalize}
    budget: {epsilon: 2, delta: 1.0e-5%s}
    %strain: %s
    run: {parallelTrials: %d, noise: %s}
    """
        .formatted(
            description,
            ending,
            CLASSES,
            publicRows,
            stated + declared,
            ending,
            publicFile,
            scaleMax,
            account,
            own,
            train,
            parallel,
            noise);
  }
}
