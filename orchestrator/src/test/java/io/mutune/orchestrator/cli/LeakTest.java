package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Rule 2: nothing private leaves uncharged. Looks through everything that a study prints, stores
 * and writes for values of the rows (as read, scaled and normalised), the true number of rows and
 * of each class, and what every released model does on the private rows: how many it gets right,
 * and its accuracy and mean loss over the true and the public number of rows.
 *
 * <p>The noise is seeded, so that a noisy score meets a true figure in its first four digits always
 * or never, and with this seed never. In full precision none ever has: that is looked for too.
 */
@Timeout(600)
class LeakTest {
  private static final int ROWS = 10_273;
  private static final long PUBLIC_ROWS = 10_000;
  private static final int FEATURES = 6;
  private static final int LOOKED_FOR = 40;

  @TempDir Path folder;
  private final List<float[]> features = new ArrayList<>();
  private final List<Integer> labels = new ArrayList<>();
  private final LeakSearch rowSearch = new LeakSearch();
  private SmallSweep sweep;

  @BeforeEach
  void makeRows() throws IOException {
    sweep = SmallSweep.in(folder).scaleMax(10_000).publicRows(PUBLIC_ROWS).steps(40).earlierSeed(4);
    SmallSweep.writeRows(sweep.testRows(), 100, FEATURES, 2);
    FeaturePipeline scaling = FeaturePipeline.of(new Scale(0, 10_000));
    FeaturePipeline all = FeaturePipeline.of(new Scale(0, 10_000), new L2Normalize());
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    long[] classes = new long[SmallSweep.CLASSES];
    for (int row = 0; row < ROWS; row++) {
      int label = row % 3 == 0 && row % 2 == 0 ? 0 : random.nextInt(SmallSweep.CLASSES);
      float[] raw = new float[FEATURES];
      List<String> cells = new ArrayList<>();
      for (int j = 0; j < FEATURES; j++) {
        double value = 3000 + random.nextDouble() * 4000 + (j % 3 == label ? 2000 : 0);
        String cell = String.format(Locale.ROOT, "%.4f", value);
        cells.add(cell);
        raw[j] = Float.parseFloat(cell);
        if (row < LOOKED_FOR) {
          rowSearch.text("a value of row " + row, cell);
          rowSearch.binary("a value of row " + row, Double.parseDouble(cell));
        }
      }
      float[] mapped = new float[FEATURES];
      float[] scaled = new float[FEATURES];
      scaling.open(FEATURES).apply(raw, 0, scaled, 0);
      all.open(FEATURES).apply(raw, 0, mapped, 0);
      for (int j = 0; row < LOOKED_FOR && j < FEATURES; j++) {
        rowSearch.binary("a scaled value of row " + row, scaled[j]);
        rowSearch.binary("a normalised value of row " + row, mapped[j]);
        rowSearch.text("a normalised value of row " + row, Float.toString(mapped[j]));
      }
      features.add(mapped);
      labels.add(label);
      classes[label]++;
      lines.add(String.join(",", cells) + "," + label);
    }
    Files.write(sweep.privateRows(), lines);
    rowSearch.count("the number of rows", ROWS);
    for (int label = 0; label < classes.length; label++) {
      rowSearch.count("the rows of class " + label, classes[label]);
    }
  }

  /** All that a command leaves: what it printed and every file that it wrote. */
  private List<String> leaks(LeakSearch search, CommandRun... runs) throws Exception {
    if (Files.exists(sweep.store())) {
      try (StoreView store = StoreView.of(sweep.store())) {
        store.texts("SELECT id FROM study").forEach(search::id);
      }
    }
    List<String> found = new ArrayList<>(search.inFolder(sweep.runs()));
    for (CommandRun run : runs) {
      found.addAll(search.in("standard output", run.out()));
      found.addAll(search.in("standard error", run.err()));
    }
    return found;
  }

  /**
   * With scores of so much noise that they say nothing of the accuracies: else one of the hundreds
   * of points that are drawn between scores would meet five digits of one by chance. A value that
   * leaked would meet all the same.
   */
  private void scoreCoarsely() {
    sweep.search(
        "{strategy: scale-free, space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 40},"
            + " sweeps: [{epsilon: 0.4, trials: 3}], score: {on: private, epsilon: 0.001}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "json"})
  void aStudyThatEnds_saysNothingOfItsRows(String format) throws Exception {
    scoreCoarsely();
    CommandRun run = CommandRun.of(sweep.earlier("--format", format)).succeeded();
    CommandRun[] all = {
      run,
      CommandRun.of(sweep.command("audit", "--format", format)).succeeded(),
      CommandRun.of(sweep.command("status", "--format", format)).succeeded(),
      CommandRun.of(sweep.command("list", "--format", format)).succeeded()
    };
    Path study =
        format.equals("json")
            ? Path.of(Json.read(run.out()).path("folder").asString(""))
            : run.folder();
    LeakSearch modelSearch = new LeakSearch();
    addReleasedModels(modelSearch, study);
    assertThat(leaks(rowSearch, all)).isEmpty();
    assertThat(leaks(modelSearch, all)).isEmpty();
    // The same search finds what is planted where a leak would be.
    Files.writeString(
        study.resolve("planted"), "right: " + correct(finalModel(study)) + ", rows: " + ROWS);
    assertThat(leaks(rowSearch, all)).hasSize(1);
    assertThat(leaks(modelSearch, all)).isNotEmpty();
  }

  @Test
  void aRealProcess_saysNothingOfItsRowsEither() throws Exception {
    scoreCoarsely();
    try (MutuneProcess process = MutuneProcess.start(sweep.earlier())) {
      CommandRun run = process.end().succeeded();
      LeakSearch modelSearch = new LeakSearch();
      addReleasedModels(modelSearch, run.folder());
      assertThat(leaks(rowSearch, run)).isEmpty();
      assertThat(leaks(modelSearch, run)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "48151623.42x,4815162342,3,4,5,6,0",
        "4815162342.1,2,3,4,5,6,4815162342",
        "4815162342.1,2,3,4,5,6",
        "4815162342.1,2,3,4,5,6,0,7",
        "\"4815162342,2,3,4,5,6,0",
        "4815162342,NaN,1e999,4,5,6,0",
        "4815162342"
      })
  void aRowThatIsMalformed_isToldByItsPlaceAlone(String row) throws Exception {
    List<String> lines = new ArrayList<>(Files.readAllLines(sweep.privateRows()));
    lines.add(500, row);
    Files.write(sweep.privateRows(), lines);
    rowSearch.text("what is wrong", "48151623").binary("what is wrong", 4815162342.0);
    CommandRun run = CommandRun.run(sweep.noise("secure"));
    assertThat(run.failedWith(ExitCode.INVALID)).contains("private.csv");
    assertThat(sweep.runs()).doesNotExist();
    Files.createDirectory(sweep.runs());
    assertThat(leaks(rowSearch, run)).isEmpty();
  }

  @Test
  void anInterruptedStudy_saysNothingOfItsRows() throws Exception {
    sweep.steps(1000);
    try (MutuneProcess process = MutuneProcess.start(sweep.earlier());
        StoreView store = process.store(sweep)) {
      process.until(() -> store.held(() -> store.stepsBegun() > 1000));
      process.signal("TERM");
      store.release();
      CommandRun run = process.end();
      run.failedWith(ExitCode.INTERRUPTED);
      assertThat(leaks(rowSearch, run)).isEmpty();
    }
  }

  private void addReleasedModels(LeakSearch search, Path study) throws IOException, SQLException {
    add(search, "final", finalModel(study));
    JsonNode trials = Json.read(Files.readString(study.resolve("result.json"))).path("trials");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + sweep.store());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT number, weights, velocity FROM trial WHERE number > 0 ORDER BY number")) {
      while (rows.next()) {
        double[] weights = doubles(rows.getBytes(2));
        double[] velocity = doubles(rows.getBytes(3));
        double rate = trials.get(rows.getInt(1) - 1).path("learningRate").asDouble();
        add(search, "trial " + rows.getInt(1), model(weights));
        for (int i = 0; i < weights.length; i++) {
          weights[i] -= rate * velocity[i]; // the free step
        }
        add(search, "trial " + rows.getInt(1) + ", free step", model(weights));
      }
    }
  }

  private void add(LeakSearch search, String name, LinearModel model) {
    long correct = correct(model);
    search.count("the rows that " + name + " gets right", correct);
    for (double rows : new double[] {ROWS, PUBLIC_ROWS}) {
      search.statistic("the training accuracy of " + name, correct / rows);
      search.statistic("the training error of " + name, 1 - correct / rows);
      search.statistic("the training loss of " + name, loss(model) / rows);
    }
  }

  private static LinearModel finalModel(Path study) throws IOException {
    return ModelDocument.read(study).model();
  }

  private static LinearModel model(double[] weights) {
    return new LinearModel(FEATURES, SmallSweep.CLASSES, weights);
  }

  private static double[] doubles(byte[] bytes) {
    double[] values = new double[bytes.length / Double.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }

  private long correct(LinearModel model) {
    long correct = 0;
    for (int row = 0; row < ROWS; row++) {
      correct += model.predict(features.get(row), 0) == labels.get(row) ? 1 : 0;
    }
    return correct;
  }

  /** Σ cross-entropy, by its definition. */
  private double loss(LinearModel model) {
    double[] weights = model.weights();
    double loss = 0;
    for (int row = 0; row < ROWS; row++) {
      double[] logits = new double[SmallSweep.CLASSES];
      for (int j = 0; j < FEATURES; j++) {
        for (int c = 0; c < logits.length; c++) {
          logits[c] += features.get(row)[j] * weights[j * logits.length + c];
        }
      }
      double sum = 0;
      for (double logit : logits) {
        sum += Math.exp(logit);
      }
      loss += Math.log(sum) - logits[labels.get(row)];
    }
    return loss;
  }
}
