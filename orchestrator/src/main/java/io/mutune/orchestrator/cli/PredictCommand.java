package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.JudgedRows;
import io.mutune.orchestrator.report.ModelDocument;
import io.mutune.orchestrator.report.StoredModel;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.data.UnlabelledSpec;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Link;
import io.mutune.trainer.model.Predictor;
import io.mutune.trainer.score.GroupedMetrics;
import io.mutune.trainer.score.RowGroups;
import io.mutune.trainer.score.TestMetrics;
import io.mutune.trainer.table.ColumnGroups;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune predict}. */
@Command(
    name = "predict",
    description =
        "Predict the class, or the target, of every row of a file. Labels in the file are ignored,"
            + " unless the model is to be judged by them (--metrics). It costs no budget, but what"
            + " a model says of a row is as private as the row.")
final class PredictCommand extends CliCommand {
  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "a study's folder, or its model.npz with model.json beside it")
  private @Nullable Path model;

  @Parameters(index = "1", paramLabel = "FILE", description = "the rows to predict on")
  private @Nullable Path file;

  /** The forms, named as the option takes them. */
  @SuppressWarnings("EnumNaming")
  enum Form {
    TABLE,
    JSON,
    CSV,
    JSONL,
    PARQUET
  }

  @Option(
      names = "--format",
      paramLabel = "table|json|csv|jsonl|parquet",
      description =
          "how to write the answers: csv, jsonl and parquet have each class's probability and are"
              + " written row by row, the others when all are known (default: table, or another by"
              + " the end of --output's name)")
  private @Nullable Form format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where to leave the answers, whole or not at all (default: printed)")
  private @Nullable Path output;

  @Option(
      names = "--metrics",
      description =
          "judge the model by the labels in FILE, in place of predictions: the figures that a study"
              + " gives on public test rows. They are as private as the rows")
  private boolean metrics;

  @Option(
      names = "--by",
      paramLabel = "COLUMN",
      description =
          "with --metrics: judge it on the rows of each value of this column too, of type category"
              + " or boolean")
  private @Nullable String by;

  @Mixin private RowFormOptions form = new RowFormOptions();

  @Override
  public Integer call() throws IOException {
    if (model == null || file == null) {
      throw new IllegalStateException("picocli requires both");
    }
    StoredModel stored = ModelDocument.read(model);
    stored.why().ifPresent(why -> say("this model comes without a guarantee: " + why));
    Predictor predictor = new Predictor(stored.model(), stored.features());
    UnlabelledSpec rows = form.describe(file, stored.form());
    if (metrics) {
      return judge(stored, rows);
    }
    if (by != null) {
      throw new UsageException("--by is for --metrics");
    }
    Form wanted = wanted();
    if (wanted == Form.PARQUET) {
      writeTable(stored, predictor, rows);
    } else if (output == null) {
      PrintWriter out = out();
      write(stored, predictor, rows, wanted, out);
      if (out.checkError()) {
        throw new IOException("the answers cannot be printed: the output was closed");
      }
    } else {
      WholeFile.write(
          output,
          bytes -> {
            Writer out = new OutputStreamWriter(bytes, StandardCharsets.UTF_8);
            write(stored, predictor, rows, wanted, out);
            out.flush();
          });
    }
    return ExitCode.DONE;
  }

  private int judge(StoredModel stored, UnlabelledSpec rows) throws IOException {
    if (output != null || (wanted() != Form.TABLE && wanted() != Form.JSON)) {
      throw new UsageException("--metrics is printed, as table or json: leave --output out");
    }
    DataSpec labelled = LabelledFile.of(stored, rows);
    TestMetrics judged =
        by == null
            ? TestMetrics.of(
                stored.model(), stored.loss(), new PublicData(labelled, stored.features()).rows())
            : judgeBy(stored, labelled, by);
    out()
        .print(
            wanted() == Form.JSON
                ? JudgedRows.json(judged, stored.labelling())
                : JudgedRows.text(judged, stored.labelling()));
    return ExitCode.DONE;
  }

  private static TestMetrics judgeBy(StoredModel stored, DataSpec labelled, String column)
      throws IOException {
    Table table = labelled.table();
    List<String> columns = table == null ? List.of() : ColumnGroups.columns(table);
    if (table == null || !columns.contains(column)) {
      throw new UsageException(
          "--by needs a column of type category or boolean that the model reads"
              + (columns.isEmpty() ? "; it has none" : ": " + String.join(", ", columns)));
    }
    RowGroups groups =
        new RowGroups(ColumnGroups.of(table, column).orElseThrow(), table, stored.features());
    PublicData before = new PublicData(labelled, FeaturePipeline.of());
    return GroupedMetrics.of(stored.model(), stored.loss(), before.rows(), groups);
  }

  private Form wanted() {
    if (format != null) {
      return format;
    }
    String name = output == null ? "" : output.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".csv")
        ? Form.CSV
        : name.endsWith(".jsonl")
            ? Form.JSONL
            : name.endsWith(".json")
                ? Form.JSON
                : name.endsWith(".parquet") ? Form.PARQUET : Form.TABLE;
  }

  private void write(
      StoredModel stored, Predictor predictor, UnlabelledSpec rows, Form wanted, Writer out)
      throws IOException {
    if (wanted == Form.CSV || wanted == Form.JSONL) {
      sayIfScores(stored);
      PredictionLines lines =
          wanted == Form.CSV ? PredictionLines.csv(stored) : PredictionLines.json(stored);
      out.write(lines.head());
      predictor.forEach(rows, lines::from, piece -> out.append(piece.text()));
    } else if (stored.labelling() instanceof ClassLabels labels) {
      int[] classes =
          Arrays.stream(all(predictor, rows, LinearModel::classOf))
              .mapToInt(c -> (int) c)
              .toArray();
      out.write(
          wanted == Form.JSON
              ? json(classes, labels.names())
              : text(classes, labels.names()).toString());
    } else if (stored.labelling() instanceof TargetRange range) {
      double[] targets = all(predictor, rows, scores -> range.target(LinearModel.target(scores)));
      out.write(wanted == Form.JSON ? json(targets) : text(targets).toString());
    }
  }

  private void writeTable(StoredModel stored, Predictor predictor, UnlabelledSpec rows)
      throws IOException {
    if (output == null) {
      throw new UsageException("--format parquet is no text to print: add --output FILE");
    }
    sayIfScores(stored);
    WholeFile.write(
        output,
        bytes -> {
          try (PredictionTable table = new PredictionTable(stored, bytes)) {
            predictor.forEach(rows, table::from, table::write);
          }
        });
  }

  private void sayIfScores(StoredModel stored) {
    if (stored.labelling() instanceof ClassLabels && stored.link() == Link.NONE) {
      say("the loss of this model gives no probabilities: scores stand in their place");
    }
  }

  /** One number for each row. */
  private static double[] all(
      Predictor predictor, UnlabelledSpec rows, ToDoubleFunction<double[]> answer)
      throws IOException {
    record Answers(ToDoubleFunction<double[]> answer, DoubleStream.Builder all)
        implements Predictor.Scored {
      @Override
      public void row(double[] scores) {
        all.add(answer.applyAsDouble(scores));
      }
    }

    DoubleStream.Builder all = DoubleStream.builder();
    predictor.forEach(
        rows,
        first -> new Answers(answer, DoubleStream.builder()),
        piece -> piece.all().build().forEach(all));
    return all.build().toArray();
  }

  private static String json(double[] targets) {
    ObjectNode json = Json.document();
    ArrayNode predictions = json.putArray("predictions");
    for (int row = 0; row < targets.length; row++) {
      predictions.addObject().put("row", row + 1).put("target", targets[row]);
    }
    return Json.write(json);
  }

  private static TextTable text(double[] targets) {
    TextTable table = new TextTable("row", "target");
    for (int row = 0; row < targets.length; row++) {
      table.row(Integer.toString(row + 1), Double.toString(targets[row]));
    }
    return table;
  }

  private static String json(int[] classes, List<String> names) {
    ObjectNode json = Json.document();
    ArrayNode predictions = json.putArray("predictions");
    for (int row = 0; row < classes.length; row++) {
      predictions.addObject().put("row", row + 1).put("class", names.get(classes[row]));
    }
    return Json.write(json);
  }

  private static TextTable text(int[] classes, List<String> names) {
    TextTable table = new TextTable("row", "class");
    for (int row = 0; row < classes.length; row++) {
      table.row(Integer.toString(row + 1), names.get(classes[row]));
    }
    return table;
  }
}
