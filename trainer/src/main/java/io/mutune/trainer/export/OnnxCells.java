package io.mutune.trainer.export;

import io.mutune.trainer.export.OnnxGraph.Kind;
import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.CellSteps;
import io.mutune.trainer.table.DecimalText;
import io.mutune.trainer.table.ListedTexts;
import io.mutune.trainer.table.ListedTexts.Outcome;
import io.mutune.trainer.table.Scaled;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cells as operators of ONNX: an input of {@code [rows, 1]} for each column, by its name. Numbers
 * are doubles, NaN where they are missing; days too, counted from 1970-01-01; what is listed is a
 * text without blanks around it, empty where it is missing.
 */
final class OnnxCells implements CellSteps {
  private final OnnxGraph graph;
  private final List<String> missing;
  private final OnnxEncoders encoders;
  private final List<String> parts = new ArrayList<>();

  OnnxCells(OnnxGraph graph, List<String> missing, OnnxEncoders encoders) {
    this.graph = graph;
    this.missing = missing;
    this.encoders = encoders;
  }

  /** The numbers of all columns, rounded to float32, in double. */
  String row() {
    String joined = graph.node("Concat", to -> to.number("axis", 1), parts.toArray(new String[0]));
    return graph.asDouble(graph.asFloat(joined));
  }

  @Override
  public void number(String column, Scaled scaled, @Nullable Double fill) {
    List<Double> numbers =
        missing.stream().map(DecimalText::parseDouble).filter(n -> !Double.isNaN(n)).toList();
    scaled(column, numbers, scaled, fill);
  }

  @Override
  public void day(
      String column, String format, Scaled days, @Nullable Double fill, List<Double> missing) {
    scaled(column, missing, days, fill);
  }

  private void scaled(String column, List<Double> missing, Scaled scaled, @Nullable Double fill) {
    String value = graph.input(column, Kind.DOUBLE, 1);
    for (double one : missing) {
      String isOne = graph.node("Equal", value, graph.constant(one));
      value = graph.node("Where", isOne, graph.constant(Double.NaN), value);
    }
    String isMissing = graph.node("IsNaN", value);
    String known = value;
    if (fill != null) {
      known = graph.node("Where", isMissing, graph.constant(fill), value);
    }
    String least = graph.constant(scaled.min());
    String above = graph.node("Max", known, least);
    String inside =
        graph.node("Sub", graph.node("Min", above, graph.constant(scaled.max())), least);
    double range = scaled.max() - scaled.min();
    String s =
        scaled.log()
            ? graph.node("Div", logOfOneMore(inside), graph.constant(Math.log1p(range)))
            : graph.node("Div", inside, graph.constant(range));
    String numbers = scaled.knots() < 2 ? s : hats(s, scaled.knots());
    // 0 for a number, and NaN for what is none and may have become a bound.
    parts.add(graph.node("Add", numbers, graph.node("Sub", known, known)));
    if (fill != null) {
      parts.add(graph.asDouble(isMissing));
    }
  }

  /**
   * ln(1 + x) for x ≥ 0: where 1 + x rounds, so does its logarithm, and x / ((1 + x) − 1) mends
   * both (Kahan).
   */
  private String logOfOneMore(String x) {
    String more = graph.node("Add", x, graph.constant(1.0));
    String part = graph.node("Sub", more, graph.constant(1.0));
    String mended = graph.node("Div", graph.node("Mul", graph.node("Log", more), x), part);
    return graph.node("Where", graph.node("Equal", part, graph.constant(0.0)), x, mended);
  }

  /** 1 at a knot, 0 at its neighbours, linear between. */
  private String hats(String s, int knots) {
    String place =
        graph.node("Mul", graph.node("Min", s, graph.constant(1.0)), graph.constant(knots * 1.0));
    double[] all = IntStream.rangeClosed(0, knots).asDoubleStream().toArray();
    String away =
        graph.node("Abs", graph.node("Sub", place, graph.constant(new int[] {all.length}, all)));
    return graph.node("Max", graph.node("Sub", graph.constant(1.0), away), graph.constant(0.0));
  }

  @Override
  public void listed(String column, ListedTexts texts) {
    int count = texts.texts().size();
    int other = count;
    int absent = count + 1;
    Map<String, Long> index = new LinkedHashMap<>();
    index.put("", (long) absent);
    missing.forEach(text -> put(index, text, absent, false));
    for (int i = 0; i < count; i++) {
      put(index, texts.texts().get(i), i, texts.anyCase());
    }
    String found =
        graph.classic(
            "LabelEncoder",
            to ->
                to.texts("keys_strings", List.copyOf(index.keySet()))
                    .numbers(
                        "values_int64s",
                        index.values().stream().mapToLong(Long::longValue).toArray())
                    .number("default_int64", other),
            graph.input(column, Kind.STRING, 1));
    List<@Nullable Outcome> outcomes = new ArrayList<>(texts.outcomes());
    outcomes.add(texts.other());
    outcomes.add(texts.missing());
    boolean flagged = texts.missing() != null && texts.missing().flagged();
    int width = flagged ? texts.width() - 1 : texts.width();
    long[] at = outcomes.stream().mapToLong(o -> o == null ? 0 : o.at()).toArray();
    double[] values =
        outcomes.stream().mapToDouble(o -> o == null ? Double.NaN : o.value()).toArray();
    String place = graph.node("Gather", graph.whole(at), found);
    String value = graph.node("Gather", graph.constant(new int[] {values.length}, values), found);
    String chosen = graph.node("Equal", place, graph.whole(LongStream.range(0, width).toArray()));
    parts.add(graph.node("Where", chosen, value, graph.constant(0.0)));
    if (flagged) {
      parts.add(graph.asDouble(graph.node("Equal", found, graph.whole((long) absent))));
    }
  }

  /**
   * The text, how a number is usually written, whole ones twice, and the usual cases of letters.
   */
  private static void put(Map<String, Long> index, String text, long at, boolean anyCase) {
    index.putIfAbsent(text, at);
    double number = DecimalText.parseDouble(text);
    DoubleStream.of(number)
        .filter(n -> !Double.isNaN(n))
        .forEach(
            n -> {
              index.putIfAbsent(Cell.written(n), at);
              if (n == Math.rint(n)) {
                index.putIfAbsent(Cell.written(n) + ".0", at);
              }
            });
    if (anyCase && !text.isEmpty()) {
      String upper = text.toUpperCase(Locale.ROOT);
      // Not of every letter: a dotless i in capitals is another text's.
      Stream.of(upper, upper.charAt(0) + text.substring(1))
          .filter(form -> form.toLowerCase(Locale.ROOT).equals(text))
          .forEach(form -> index.putIfAbsent(form, at));
    }
  }

  @Override
  public void hashed(String column, int buckets, boolean missing) {
    throw new InexpressibleException(
        "the column '"
            + column
            + "' of type hashed has no such hash in ONNX and cannot be written down");
  }

  @Override
  public void words(String column, EncoderReference encoder, boolean missingIsEmpty) {
    parts.add(encoders.words(graph, column, encoder, missing, missingIsEmpty));
  }

  @Override
  public void unread(String column) {}
}
