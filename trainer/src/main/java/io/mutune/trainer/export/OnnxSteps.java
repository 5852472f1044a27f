package io.mutune.trainer.export;

import io.mutune.trainer.feature.RowSteps;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Steps on rows as operators of ONNX, on {@code [rows, width]} in double. */
final class OnnxSteps implements RowSteps {
  private static final String AXIS = "axis";

  private final OnnxGraph graph;
  private String x;
  private int width;

  OnnxSteps(OnnxGraph graph, String row, int width) {
    this.graph = graph;
    this.x = row;
    this.width = width;
  }

  /** What is left of the row after all steps. */
  String row() {
    return x;
  }

  @Override
  public void subtract(double... by) {
    x = graph.node("Sub", x, graph.constant(new int[] {by.length}, by));
  }

  @Override
  public void divide(double by) {
    x = graph.node("Div", x, graph.constant(by));
  }

  @Override
  public void clamp(double least, double most) {
    x = graph.node("Min", graph.node("Max", x, graph.constant(least)), graph.constant(most));
  }

  @Override
  public void unitNorm() {
    String squares = graph.sum(graph.node("Mul", x, x), 1);
    String isZero = graph.node("Equal", squares, graph.constant(0.0));
    String safe = graph.node("Where", isZero, graph.constant(1.0), squares);
    x = graph.node("Div", x, graph.node("Sqrt", safe));
  }

  @Override
  public void groupNorm(int groups, double epsilon) {
    String parts = graph.node("Reshape", x, graph.whole(-1L, groups, width / groups));
    String moved = graph.node("Sub", parts, graph.mean(parts, 2));
    String variance = graph.mean(graph.node("Mul", moved, moved), 2);
    String root = graph.node("Sqrt", graph.node("Add", variance, graph.constant(epsilon)));
    x = graph.node("Reshape", graph.node("Div", moved, root), graph.whole(-1L, width));
  }

  /** Each factor takes as many numbers as the greatest of them, some of them a 1 at the end. */
  @Override
  public void products(double[] factors, int[][] of) {
    String padded = graph.node("Pad", x, graph.whole(0L, 0, 0, 1), graph.constant(1.0));
    int most = Arrays.stream(of).mapToInt(positions -> positions.length).max().orElse(0);
    String product = graph.constant(new int[] {factors.length}, factors);
    for (int k = 0; k < Math.max(1, most); k++) {
      int at = k;
      long[] chosen =
          Arrays.stream(of)
              .mapToLong(positions -> at < positions.length ? positions[at] : width)
              .toArray();
      product = graph.node("Mul", product, gather(padded, chosen));
    }
    x = product;
    width = factors.length;
  }

  private String gather(String from, long... positions) {
    return graph.node("Gather", to -> to.number(AXIS, 1), from, graph.whole(positions));
  }

  @Override
  public void linear(int outputs, double[] vectors) {
    double[] columns = new double[vectors.length];
    for (int i = 0; i < outputs; i++) {
      for (int j = 0; j < width; j++) {
        columns[j * outputs + i] = vectors[i * width + j];
      }
    }
    x = graph.node("MatMul", x, graph.constant(new int[] {width, outputs}, columns));
    width = outputs;
  }

  /** A cosine is a sine a quarter further on: not every runtime has both in double. */
  @Override
  public void waves(double factor) {
    String quarter = graph.constant(Math.PI / 2);
    String cosines = graph.unsqueeze(graph.node("Sin", graph.node("Add", x, quarter)), 2);
    String sines = graph.unsqueeze(graph.node("Sin", x), 2);
    String pairs = graph.node("Concat", to -> to.number(AXIS, 2), cosines, sines);
    width = 2 * width;
    String flat = graph.node("Reshape", pairs, graph.whole(-1L, width));
    x = graph.node("Mul", flat, graph.constant(factor));
  }

  @Override
  public void apart(int[] others, int[] chosen, Consumer<RowSteps> of) {
    OnnxSteps inner = new OnnxSteps(graph, gather(x, longs(chosen)), chosen.length);
    of.accept(inner);
    if (others.length == 0) {
      x = inner.x;
    } else {
      String left = gather(x, longs(others));
      x = graph.node("Concat", to -> to.number(AXIS, 1), left, inner.x);
    }
    width = others.length + inner.width;
  }

  private static long[] longs(int[] numbers) {
    return IntStream.of(numbers).asLongStream().toArray();
  }

  @Override
  public void round() {
    x = graph.asDouble(graph.asFloat(x));
  }
}
