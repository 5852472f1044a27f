package io.mutune.trainer.export;

import io.mutune.trainer.export.OnnxGraph.Kind;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A model as a file of ONNX that takes the raw row, with the encoders of its texts or pictures
 * within. It computes in double and rounds to float32 where Mutune does; encoders in what they are.
 * A row that does not fit has NaN for its scores and no label.
 */
public final class OnnxExport {
  private static final String ROWS = "rows";

  /** How a text comes in. */
  public enum Texts {
    /** As it is; only ONNX Runtime with its Extensions has an operator for its tokens. */
    RAW,
    /** As the numbers of its tokens, and -1 behind them. */
    TOKENS
  }

  private OnnxExport() {}

  /**
   * The file: one input with the numbers of a row, or one for each column of a table; the outputs
   * {@code label} (or {@code target}), {@code scores} and {@code probabilities}.
   *
   * @param library where the encoders of texts and pictures are
   * @throws IOException if one of them is not there, or cannot be computed on this machine
   * @throws io.mutune.trainer.feature.InexpressibleException if a part of the model cannot be
   *     written down
   */
  public static byte[] of(ExportedModel model, Texts texts, EncoderLibrary library)
      throws IOException {
    OnnxEncoders encoders = OnnxEncoders.of(model, texts, library);
    OnnxGraph graph = new OnnxGraph(encoders.graphs());
    String row = row(model, graph, encoders);
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

  private static String row(ExportedModel model, OnnxGraph graph, OnnxEncoders encoders) {
    EncoderReference pictures = model.pictures();
    if (pictures != null) {
      return encoders.pictures(graph, ROWS, pictures);
    }
    Table table = model.table();
    if (table == null) {
      return graph.asDouble(graph.input(ROWS, Kind.FLOAT, model.inputs()));
    }
    OnnxCells cells = new OnnxCells(graph, table.missing(), encoders);
    table.describe(cells);
    return cells.row();
  }

  /** [rows, 1]: whether a number of the row is not finite. */
  private static String unfit(OnnxGraph graph, String row) {
    String zeros = graph.node("Sub", row, row);
    return graph.node("IsNaN", graph.sum(zeros, 1));
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
    String of = scores;
    if (model.link() == Link.LOGISTIC) {
      // The logistic of a score is the softmax of 0 and it; small ones are lost by Sigmoid.
      String zero = graph.node("Where", graph.node("IsNaN", scores), scores, graph.constant(0.0));
      of = graph.node("Concat", to -> to.number("axis", 1), zero, scores);
    } else if (model.link() != Link.SOFTMAX) {
      return;
    }
    String found = graph.node("Softmax", to -> to.number("axis", 1), of);
    graph.output("probabilities", found, Kind.DOUBLE, model.classes().size());
  }
}
