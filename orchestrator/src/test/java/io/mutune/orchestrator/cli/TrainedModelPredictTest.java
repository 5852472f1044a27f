package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.ModelDocument;
import io.mutune.orchestrator.report.ModelDocument.RowForm;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.LabelColumn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a study writes is what {@code mutune predict} reads. */
class TrainedModelPredictTest {
  private static final String SWEEP =
      """
      version: 1
      name: toy
      data:
        private:
          path: rows.csv
          format: csv
          delimiter: ";"
          header: true
          label: kind
          classes: [left, right]
          rows: 40
      features:
        - {type: l2-normalize}
      budget: {epsilon: 3.0, delta: 1.0e-5}
      search:
        strategy: scale-free
        space:
          logitNoise: {min: 0.1, max: 10, scale: log}
          steps: 2
        sweeps:
          - {epsilon: 0.5, trials: 1}
        score: {on: private, epsilon: 0.3}
      train: {method: noisy-gd, loss: softmax, clipNorm: 1.0, momentum: 0.9, freeStep: true}
      """;

  @TempDir Path folder;

  private static String mutune(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        MutuneCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = command.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  @Test
  void formOfTheTrainingFile_isKept_andThatFileCanBePredictedOn() throws IOException {
    Path rows = folder.resolve("rows.csv");
    Files.writeString(rows, "a;kind;b\n" + "7;left;1\n1;right;7\n".repeat(20));
    Path sweep = Files.writeString(folder.resolve("toy.yaml"), SWEEP);
    Path runs = folder.resolve("runs");
    List<String> printed = mutune("run", sweep, "--output", runs).lines().toList();
    Path study = Path.of(printed.get(printed.size() - 1));

    CsvLayout layout = new CsvLayout(';', true, new LabelColumn.Named("kind"));
    assertThat(ModelDocument.read(study).form()).isEqualTo(new RowForm(DataFormat.CSV, layout, 2));
    // What it says is left to noise; a head of two lines and a line a row is not.
    assertThat(mutune("predict", study, rows).lines()).hasSize(42);
  }
}
