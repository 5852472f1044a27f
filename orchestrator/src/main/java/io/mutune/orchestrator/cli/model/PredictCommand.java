package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Predictor;
import io.mutune.trainer.score.GroupedMetrics;
import io.mutune.trainer.score.RowGroups;
import io.mutune.trainer.score.TestMetrics;
import io.mutune.trainer.setting.OneLine;
import io.mutune.trainer.table.ColumnGroups;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
  private Path model = Path.of("");

  @Parameters(index = "1", paramLabel = "FILE", description = "the rows to predict on")
  private Path file = Path.of("");

  /** The forms, named as the option takes them. */
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
    StoredModel stored = ModelDocument.read(model);
    stored.why().ifPresent(why -> say("this model comes without a guarantee: " + why));
    Predictor predictor = new Predictor(stored.model(), stored.features());
    UnlabelledSpec rows = form.describe(file, stored.form());
    Optional<String> mistaken = DataCheck.otherKind(file, rows.form());
    if (mistaken.isPresent()) {
      throw DataFormatException.in(file, mistaken.get() + RowFormOptions.hint(rows.form()));
    }
    if (rows.form().table() != null && Files.isRegularFile(file)) {
      DataCheck.otherEncoding(file, rows.form().format()).ifPresent(this::say);
    }
    if (metrics) {
      return judge(stored, rows);
    }
    if (by != null) {
      throw new UsageException("--by is for --metrics");
    }
    if (output != null) {
      OutputFile.requireNoDocument(output, model);
      SweepFile.requireNoData(output, model);
      OutputFile.requireOther(OutputFile.OPTION, output, List.of(file));
    }
    Form wanted = wanted();
    if (wanted == Form.PARQUET) {
      writeTable(stored, predictor, rows);
    } else if (output == null) {
      write(stored, predictor, rows, wanted, out());
    } else {
      OutputFile.writePrivate(
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
    TestDocument worth = TestDocument.of(judged, stored.labelling());
    if (wanted() == Form.JSON) {
      ObjectNode json = Json.document();
      out().print(Json.write(json.setAll(Json.tree(worth))));
    } else {
      out().print(worth.text());
    }
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
    for (Form each : Form.values()) {
      if (name.endsWith("." + each.name().toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    return Form.TABLE;
  }

  private void write(
      StoredModel stored, Predictor predictor, UnlabelledSpec rows, Form wanted, Writer out)
      throws IOException {
    if (wanted == Form.CSV || wanted == Form.JSONL) {
      sayIfScores(stored);
      boolean named = rows.images() != null;
      PredictionLines lines =
          wanted == Form.CSV
              ? PredictionLines.csv(stored, named)
              : PredictionLines.json(stored, named);
      out.write(lines.head());
      predictor.forEach(rows, lines::from, piece -> out.append(piece.text()));
    } else {
      String what = stored.labelling() instanceof TargetRange ? "target" : "class";
      List<Answer> answers = answers(predictor, rows, stored.labelling());
      out.write(wanted == Form.JSON ? json(what, answers) : text(what, answers));
    }
  }

  private void writeTable(StoredModel stored, Predictor predictor, UnlabelledSpec rows)
      throws IOException {
    Path whole = output;
    if (whole == null) {
      throw new UsageException("--format parquet is no text to print: add --output FILE");
    }
    sayIfScores(stored);
    OutputFile.makePrivate(
        whole,
        target -> {
          try (PredictionTable table =
              new PredictionTable(stored, rows.images() != null, target, whole)) {
            predictor.forEach(rows, table::from, table::write);
          }
        });
  }

  private void sayIfScores(StoredModel stored) {
    if (stored.labelling() instanceof ClassLabels && stored.link() == Link.NONE) {
      say("the loss of this model gives no probabilities: scores stand in their place");
    }
  }

  /**
   * What is said of a row.
   *
   * @param file its name, of a picture
   * @param said the name of a class, or a target
   */
  private record Answer(@Nullable String file, Object said) {}

  /** Takes what is said of consecutive rows. */
  private static final class Answers implements Predictor.Scored {
    private final Labelling labelling;
    private final List<Answer> all = new ArrayList<>();
    private @Nullable String file;

    Answers(Labelling labelling) {
      this.labelling = labelling;
    }

    @Override
    public void name(String itsFile) {
      file = itsFile;
    }

    @Override
    public void row(double[] scores) {
      all.add(
          new Answer(
              file,
              labelling instanceof TargetRange range
                  ? range.target(LinearModel.target(scores))
                  : ((ClassLabels) labelling).names().get(LinearModel.classOf(scores))));
    }
  }

  private static List<Answer> answers(Predictor predictor, UnlabelledSpec rows, Labelling labelling)
      throws IOException {
    List<Answer> all = new ArrayList<>();
    predictor.forEach(rows, first -> new Answers(labelling), piece -> all.addAll(piece.all));
    return all;
  }

  private static String json(String what, List<Answer> answers) {
    ObjectNode json = Json.document();
    ArrayNode predictions = json.putArray("predictions");
    for (Answer answer : answers) {
      ObjectNode entry = predictions.addObject().put("row", predictions.size());
      if (answer.file() != null) {
        entry.put("file", answer.file());
      }
      entry.putPOJO(what, answer.said());
    }
    return Json.write(json);
  }

  private static String text(String what, List<Answer> answers) {
    boolean named = !answers.isEmpty() && answers.get(0).file() != null;
    List<DataTable.Row> rows = new ArrayList<>();
    for (Answer answer : answers) {
      String number = Integer.toString(rows.size() + 1);
      String said = OneLine.of(answer.said().toString());
      rows.add(
          answer.file() == null
              ? DataTable.row(number, said)
              : DataTable.row(number, OneLine.of(answer.file()), said));
    }
    List<String> head = named ? List.of("row", "file", what) : List.of("row", what);
    return new DataTable(head, rows).toString();
  }
}
