package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.ModelDocument;
import io.mutune.orchestrator.report.ModelDocument.StoredModel;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.trainer.model.Predictor;
import java.io.IOException;
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
        "Predict the class of every row of a file. Labels in the file are ignored. It costs no"
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
    int[] classes =
        new Predictor(stored.model(), stored.features())
            .classes(form.describe(file, stored.form()));
    List<String> names = stored.classes().names();
    Output.of(spec).print(format.json() ? json(classes, names) : text(classes, names));
    return ExitCode.DONE;
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
