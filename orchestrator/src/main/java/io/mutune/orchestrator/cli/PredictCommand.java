package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.ModelDocument;
import io.mutune.orchestrator.report.ModelDocument.StoredModel;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.data.UnlabelledSpec;
import io.mutune.trainer.model.Predictor;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune predict}. */
@Command(
    name = "predict",
    description =
        "Predict the class, or the target, of every row of a file. Labels in the file are ignored. It costs no"
            + " budget, but what a model says of a row is as private as the row.")
final class PredictCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "a study's folder, or its model.npz with model.json beside it")
  private @Nullable Path model;

  @Parameters(index = "1", paramLabel = "FILE", description = "the rows to predict on")
  private @Nullable Path file;

  @Mixin private RowFormOptions form = new RowFormOptions();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (model == null || file == null) {
      throw new IllegalStateException("picocli requires both");
    }
    StoredModel stored = ModelDocument.read(model);
    stored
        .why()
        .ifPresent(
            why ->
                Output.errors(spec)
                    .println("mutune: this model comes without a guarantee: " + why));
    Predictor predictor = new Predictor(stored.model(), stored.features());
    UnlabelledSpec rows = form.describe(file, stored.form());
    PrintWriter output = Output.of(spec);
    if (stored.labelling() instanceof ClassLabels labels) {
      int[] classes = predictor.classes(rows);
      output.print(format.json() ? json(classes, labels.names()) : text(classes, labels.names()));
    } else if (stored.labelling() instanceof TargetRange range) {
      double[] targets = predictor.targets(rows, range);
      output.print(format.json() ? json(targets) : text(targets));
    }
    return ExitCode.DONE;
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
