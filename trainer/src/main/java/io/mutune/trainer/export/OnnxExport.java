package io.mutune.trainer.export;

import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.export.OnnxGraph.Kind;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Link;
import io.mutune.trainer.table.Table;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A model as a file of ONNX that takes the raw row. It computes in double and rounds to float32
 * where Mutune does. A row that does not fit has NaN for its scores and no label.
 */
public final class OnnxExport {
  private static final String ROWS = "rows";

  private OnnxExport() {}

  /**
   * The file: one input with the numbers of a row, or one for each column of a table; the outputs
   * {@code label} (or {@code target}), {@code scores} and {@code probabilities}.
   *
   * @throws io.mutune.trainer.feature.InexpressibleException if a part of the model cannot be
   *     written down
   */
  public static byte[] of(ExportedModel model) {
    OnnxGraph graph = new OnnxGraph();
    String row = row(model, graph);
    OnnxSteps steps = new OnnxSteps(graph, row, model.inputs());
    model.features().describe(model.inputs(), steps);
    LinearModel linear = model.model();
    String weights =
        graph.constant(new int[] {linear.features(), linear.columns()}, linear.weights());
    String products = graph.node("MatMul", steps.row(), weights);
    String unfit = unfit(graph, row);
    String scores = graph.node("Where", unfit, graph.constant(Double.NaN), products);
    graph.output("scores", scores, Kind.DOUBLE, linear.columns());
    if (model.labelling() instanceof TargetRange range) {
      graph.output("target", target(graph, scores, range), Kind.DOUBLE, 1);
    } else {
      graph.output("label", label(graph, products, unfit, model), Kind.STRING, 0);
      probabilities(graph, scores, model);
    }
    return graph.toBytes(model.about());
  }

  private static String row(ExportedModel model, OnnxGraph graph) {
    Table table = model.table();
    if (table == null) {
      String rows = graph.input(ROWS, Kind.FLOAT, model.inputs());
      return graph.node("Cast", to -> to.kind("to", Kind.DOUBLE), rows);
    }
    OnnxCells cells = new OnnxCells(graph, table.missing());
    table.describe(cells);
    return cells.row();
  }

  /** [rows, 1]: whether a number of the row is not finite. */
  private static String unfit(OnnxGraph graph, String row) {
    String zeros = graph.node("Sub", row, row);
    String sum = graph.node("ReduceSum", zeros, graph.whole(1L));
    return graph.node("IsNaN", sum);
  }

  private static String target(OnnxGraph graph, String scores, TargetRange range) {
    String most = graph.node("Min", scores, graph.constant(1.0));
    String t = graph.node("Max", most, graph.constant(-1.0));
    String share =
        graph.node("Div", graph.node("Add", t, graph.constant(1.0)), graph.constant(2.0));
    String part = graph.node("Mul", share, graph.constant(range.max() - range.min()));
    return graph.node(
        "Where",
        graph.node("IsNaN", scores),
        scores,
        graph.node("Add", part, graph.constant(range.min())));
  }

  private static String label(OnnxGraph graph, String scores, String unfit, ExportedModel model) {
    List<String> classes = model.classes();
    String best =
        model.model().columns() == 1
            ? graph.node(
                "Cast",
                to -> to.kind("to", Kind.INT64),
                graph.node("Greater", scores, graph.constant(0.0)))
            : graph.node("ArgMax", to -> to.number("axis", 1).number("keepdims", 1), scores);
    String index = graph.node("Where", unfit, graph.whole(-1L), best);
    String flat = graph.node("Reshape", index, graph.whole(-1L));
    return graph.classic(
        "LabelEncoder",
        to ->
            to.numbers("keys_int64s", LongStream.range(0, classes.size()).toArray())
                .texts("values_strings", classes)
                .text("default_string", ""),
        flat);
  }

  private static void probabilities(OnnxGraph graph, String scores, ExportedModel model) {
    String found;
    if (model.link() == Link.SOFTMAX) {
      found = graph.node("Softmax", to -> to.number("axis", 1), scores);
    } else if (model.link() == Link.LOGISTIC) {
      String one = graph.node("Sigmoid", scores);
      String other = graph.node("Sub", graph.constant(1.0), one);
      found = graph.node("Concat", to -> to.number("axis", 1), other, one);
    } else {
      return;
    }
    graph.output("probabilities", found, Kind.DOUBLE, model.classes().size());
  }
}
