package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.feature.RowSteps;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.CellSteps;
import io.mutune.trainer.table.ListedTexts;
import io.mutune.trainer.table.ListedTexts.Outcome;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A model as a document of plain values, which docs/export.md describes. */
public final class JsonExport {
  private JsonExport() {}

  /**
   * The document: maps, lists, texts, numbers and arrays of numbers.
   *
   * @throws InexpressibleException if a part of the model cannot be written down
   */
  public static Map<String, Object> of(ExportedModel model) {
    return of(model, numbers -> numbers);
  }

  /**
   * The same.
   *
   * @param keep what stands for an array of many numbers
   */
  static Map<String, Object> of(ExportedModel model, Function<double[], Object> keep) {
    refuseEncodedPictures(model);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", 1);
    document.put("about", model.about());
    document.put("input", input(model));
    Steps steps = new Steps(keep);
    model.features().describe(model.inputs(), steps);
    document.put("steps", steps.steps);
    document.put("columns", model.model().columns());
    document.put("weights", keep.apply(model.model().weights()));
    document.put("link", model.link().name().toLowerCase(Locale.ROOT));
    if (model.labelling() instanceof TargetRange range) {
      document.put("target", entry("min", range.min(), "max", range.max()));
    } else {
      document.put("classes", model.classes());
    }
    return document;
  }

  private static Map<String, Object> input(ExportedModel model) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("numbers", model.inputs());
    Table table = model.table();
    if (table != null) {
      Cells cells = new Cells();
      table.describe(cells);
      input.put("missing", table.missing());
      input.put("columns", cells.columns);
    }
    return input;
  }

  private static final class Steps implements RowSteps {
    private final Function<double[], Object> keep;
    private final List<Map<String, Object>> steps = new ArrayList<>();

    Steps(Function<double[], Object> keep) {
      this.keep = keep;
    }

    /** Keys and values in turn. */
    private void add(String step, Object... fields) {
      steps.add(entry("step", step, fields));
    }

    @Override
    public void subtract(double... by) {
      add("subtract", "by", keep.apply(by));
    }

    @Override
    public void divide(double by) {
      add("divide", "by", by);
    }

    @Override
    public void clamp(double least, double most) {
      add("clamp", "least", least, "most", most);
    }

    @Override
    public void unitNorm() {
      add("unit-norm");
    }

    @Override
    public void groupNorm(int groups, double epsilon) {
      add("group-norm", "groups", groups, "epsilon", epsilon);
    }

    @Override
    public void products(double[] factors, int[][] of) {
      add("products", "factors", keep.apply(factors), "of", of);
    }

    @Override
    public void linear(int outputs, double[] vectors) {
      add("linear", "outputs", outputs, "vectors", keep.apply(vectors));
    }

    @Override
    public void waves(double factor) {
      add("waves", "factor", factor);
    }

    @Override
    public void apart(int[] others, int[] chosen, Consumer<RowSteps> of) {
      Steps inner = new Steps(keep);
      of.accept(inner);
      add("apart", "others", others, "chosen", chosen, "steps", inner.steps);
    }

    @Override
    public void round() {
      add("round");
    }
  }

  private static final class Cells implements CellSteps {
    private final List<Map<String, Object>> columns = new ArrayList<>();

    private void add(String column, String as, Object... fields) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", column);
      entry.putAll(entry("as", as, fields));
      columns.add(entry);
    }

    @Override
    public void number(String column, Scaled scaled, @Nullable Double fill) {
      addScaled(column, "number", Optional.empty(), scaled, fill, List.of());
    }

    @Override
    public void day(
        String column, String format, Scaled scaled, @Nullable Double fill, List<Double> missing) {
      addScaled(column, "day", Optional.of(format), scaled, fill, missing);
    }

    private void addScaled(
        String column,
        String as,
        Optional<String> format,
        Scaled scaled,
        @Nullable Double fill,
        List<Double> missing) {
      add(
          column,
          as,
          "format",
          format,
          "min",
          scaled.min(),
          "max",
          scaled.max(),
          "log",
          scaled.log(),
          "knots",
          scaled.knots(),
          "fill",
          Optional.ofNullable(fill),
          "missing",
          Optional.of(missing).filter(days -> !days.isEmpty()));
    }

    @Override
    public void listed(String column, ListedTexts texts) {
      add(
          column,
          "listed",
          "width",
          texts.width(),
          "texts",
          texts.texts(),
          "outcomes",
          texts.outcomes().stream().map(Cells::outcome).toList(),
          "other",
          Optional.ofNullable(texts.other()).map(Cells::outcome),
          "missing",
          Optional.ofNullable(texts.missing()).map(Cells::outcome),
          "anyCase",
          texts.anyCase());
    }

    private static Map<String, Object> outcome(Outcome outcome) {
      return entry("at", outcome.at(), "value", outcome.value(), "flagged", outcome.flagged());
    }

    @Override
    public void hashed(String column, int buckets, boolean missing) {
      add(column, "hashed", "buckets", buckets, "missing", missing);
    }

    @Override
    public void words(String column, EncoderReference encoder, boolean missing) {
      throw refusal("the column '" + column + "' of type text", encoder);
    }

    @Override
    public void unread(String column) {
      add(column, "unread");
    }
  }

  /** Only ONNX has room for a network. */
  static void refuseEncodedPictures(ExportedModel model) {
    EncoderReference encoder = model.pictures();
    if (encoder != null) {
      throw refusal("pictures", encoder);
    }
  }

  static InexpressibleException refusal(String what, EncoderReference encoder) {
    return new InexpressibleException(
        "%s: the encoder '%s' is a network, which only onnx has room for, and cannot be written down"
            .formatted(what, encoder.name()));
  }

  /** Keys and values in turn; an empty value has no key. */
  private static Map<String, Object> entry(String key, Object value, Object... more) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put(key, value);
    for (int i = 0; i < more.length; i += 2) {
      String name = String.valueOf(more[i]);
      if (more[i + 1] instanceof Optional<?> optional) {
        optional.ifPresent(there -> entry.put(name, there));
      } else {
        entry.put(name, more[i + 1]);
      }
    }
    return entry;
  }
}
