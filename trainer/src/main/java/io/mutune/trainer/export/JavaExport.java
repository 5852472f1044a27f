package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.feature.RowSteps;
import io.mutune.trainer.file.Resource;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.CellSteps;
import io.mutune.trainer.table.ListedTexts;
import io.mutune.trainer.table.ListedTexts.Outcome;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * A model as one source file of Java 17 that needs no library. It does the same arithmetic in the
 * same order as Mutune, so its scores are the same bits.
 */
public final class JavaExport {
  /** Characters of a constant of a class file, which has at most 65535 bytes. */
  private static final int CHUNK = 16_000;

  /** A method has less than 65536 bytes, and each chunk of the numbers takes 8 of them. */
  private static final int MOST_NUMBERS = 12_000_000;

  /** What the names of classes that read columns begin with. */
  private static final String READER = "Columns";

  private static final List<String> TEMPLATES =
      List.of("Model", "NumbersRow", "TableRow", "Target", "Classes", "Probabilities");

  /** Words that are no names of types, of which {@link SourceVersion} says that they may be. */
  private static final Set<String> RESTRICTED =
      Set.of("var", "yield", "record", "sealed", "permits");

  private static final Pattern COMMENT = Pattern.compile("/[*].*?[*]/|//[^\n]*", Pattern.DOTALL);

  private final Numbers numbers = new Numbers();

  private JavaExport() {}

  /**
   * The source.
   *
   * @param className of the class, which is in no package
   * @throws io.mutune.trainer.feature.InexpressibleException if a part of the model cannot be
   *     written down
   */
  public static String of(ExportedModel model, String className) {
    return new JavaExport().source(model, className);
  }

  /** Whether a class of that name can be written: none that its own code uses is. */
  public static boolean isClassName(String name) {
    return SourceVersion.isName(name)
        && !name.contains(".")
        && !RESTRICTED.contains(name)
        && !name.matches(READER + "\\d+")
        && TEMPLATES.stream()
            .map(template -> COMMENT.matcher(template(template)).replaceAll(""))
            .noneMatch(
                code -> Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(code).find());
  }

  private String source(ExportedModel model, String className) {
    JsonExport.refuseEncodedPictures(model);
    Table table = model.table();
    Cells cells = new Cells();
    if (table != null) {
      table.describe(cells);
    }
    Steps steps = new Steps();
    model.features().describe(model.inputs(), steps);
    LinearModel linear = model.model();
    int weights = numbers.add(linear.weights());
    String row = table == null ? "NumbersRow" : "TableRow";
    return template("Model")
        .replace("@ROW@", template(row))
        .replace("@ANSWER@", template(model.classes().isEmpty() ? "Target" : "Classes"))
        .replace("@PROBABILITIES@", model.link() == Link.NONE ? "" : template("Probabilities"))
        .replace("@PARAMETER@", table == null ? "float..." : "String...")
        .replace("@NAME@", className)
        .replace(
            "@NAMES@", model.classes().isEmpty() ? "" : chunks("list of classes", model.classes()))
        .replace(
            "@MISSING@",
            table == null || table.missing().isEmpty()
                ? ""
                : ", " + chunks("list of what is missing", table.missing()))
        .replace("@COLUMNS@", table == null ? "" : chunks("list of columns", cells.names))
        .replace("@INPUTS@", Integer.toString(model.inputs()))
        .replace("@SCORES@", Integer.toString(linear.columns()))
        .replace("@WEIGHTS@", Integer.toString(weights))
        .replace("@MIN@", model.labelling() instanceof TargetRange range ? "" + range.min() : "0")
        .replace("@MAX@", model.labelling() instanceof TargetRange range ? "" + range.max() : "0")
        .replace("@CELLS@", cells.calls())
        .replace("@STEPS@", String.join("\n", steps.lines))
        .replace("@READERS@", cells.classes())
        .replace("@DATA@", numbers.literals())
        .replace("@ABOUT@", model.about().replaceAll("[\\\\*]", "?"));
  }

  private static String template(String name) {
    return Resource.text(JavaExport.class, name + ".java.txt");
  }

  private static String texts(Collection<String> texts) {
    return texts.stream().map(JavaExport::text).collect(Collectors.joining(", "));
  }

  private static String text(String text) {
    StringBuilder literal = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < 0x7f && "\"\\@".indexOf(c) < 0) {
        literal.append(c);
      } else {
        literal.append(String.format(Locale.ROOT, c > 0xff ? "\\u%04x" : "\\%03o", (int) c));
      }
    }
    return literal.append('"').toString();
  }

  /** Texts without a zero character, between which one stands; no class file has a longer one. */
  private static String chunks(String of, List<String> texts) {
    String all = String.join("\0", texts);
    if (texts.stream().anyMatch(text -> text.indexOf('\0') >= 0)) {
      throw new InexpressibleException("the %s has a text with a zero character".formatted(of));
    }
    List<String> chunks = new ArrayList<>();
    for (int from = 0; from < all.length(); from += CHUNK) {
      chunks.add(all.substring(from, Math.min(all.length(), from + CHUNK)));
    }
    return texts(chunks);
  }

  /** All numbers of the model, in one array. */
  private static final class Numbers {
    private final List<double[]> parts = new ArrayList<>();
    private int count;

    /** Where they begin. */
    int add(double... more) {
      int from = count;
      parts.add(more);
      count = Math.addExact(count, more.length);
      return from;
    }

    String literals() {
      if (count > MOST_NUMBERS) {
        throw new InexpressibleException(
            "%d numbers, where a class has room for %d, cannot be written down"
                .formatted(count, MOST_NUMBERS));
      }
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(count, Double.BYTES));
      parts.forEach(part -> DoubleStream.of(part).forEach(bytes::putDouble));
      String text = Base64.getEncoder().encodeToString(bytes.array());
      List<String> lines = new ArrayList<>();
      for (int from = 0; from < text.length(); from += CHUNK) {
        lines.add(
            "            \"" + text.substring(from, Math.min(text.length(), from + CHUNK)) + '"');
      }
      return String.join(",\n", lines);
    }
  }

  /** A call of one of the template's methods. */
  private static String call(String method, String first, Object... after) {
    return Stream.concat(Stream.of(first), Stream.of(after))
        .map(String::valueOf)
        .collect(Collectors.joining(", ", method + "(", ")"));
  }

  private final class Steps implements RowSteps {
    private final List<String> lines = new ArrayList<>();

    private void add(String call, Object... after) {
      lines.add("    x = " + call(call, "x", after) + ";");
    }

    @Override
    public void subtract(double... by) {
      add("subtract", numbers.add(by), by.length);
    }

    @Override
    public void divide(double by) {
      add("divide", by);
    }

    @Override
    public void clamp(double least, double most) {
      add("clamp", least, most);
    }

    @Override
    public void unitNorm() {
      add("unitNorm");
    }

    @Override
    public void groupNorm(int groups, double epsilon) {
      add("groupNorm", groups, epsilon);
    }

    @Override
    public void products(double[] factors, int[][] of) {
      DoubleStream.Builder flat = DoubleStream.builder();
      for (int i = 0; i < factors.length; i++) {
        flat.add(factors[i]);
        flat.add(of[i].length);
        IntStream.of(of[i]).forEach(flat::add);
      }
      add("products", numbers.add(flat.build().toArray()), factors.length);
    }

    @Override
    public void linear(int outputs, double[] vectors) {
      add("linear", numbers.add(vectors), outputs);
    }

    @Override
    public void waves(double factor) {
      add("waves", factor);
    }

    @Override
    public void apart(int[] others, int[] chosen, Consumer<RowSteps> of) {
      String left = "left" + lines.size();
      lines.add("    double[] " + left + " = " + pick(others) + ";");
      lines.add("    x = " + pick(chosen) + ";");
      of.accept(this);
      lines.add("    x = joined(" + left + ", x);");
    }

    private String pick(int[] positions) {
      int start = numbers.add(IntStream.of(positions).asDoubleStream().toArray());
      return "pick(x, %d, %d)".formatted(start, positions.length);
    }

    @Override
    public void round() {
      add("rounded");
    }
  }

  /** Columns in classes of some hundreds each: a method and a class have room for few thousand. */
  private final class Cells implements CellSteps {
    private static final int OF_ONE = 500;

    private final List<String> names = new ArrayList<>();
    private final List<String> classes = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<String> lists = new ArrayList<>();

    private String calls() {
      return IntStream.rangeClosed(0, classes.size())
          .mapToObj(("    " + READER + "%d.read(row, cells);")::formatted)
          .collect(Collectors.joining("\n"));
    }

    private String classes() {
      end();
      return String.join("\n", classes);
    }

    private void end() {
      classes.add(
          """

            private static final class %s%d {
            %s
              static void read(Row row, String... cells) {
            %s
              }
            }
          """
              .formatted(
                  READER, classes.size(), String.join("\n", lists), String.join("\n", lines)));
      lines.clear();
      lists.clear();
    }

    private void add(String column, String call, Object... after) {
      if (lines.size() >= 2 * OF_ONE) {
        end();
      }
      lines.add("    row.column = " + names.size() + ";");
      lines.add("    row." + call(call, "cells[" + names.size() + "]", after) + ";");
      names.add(column);
    }

    @Override
    public void number(String column, Scaled scaled, @Nullable Double fill) {
      add(column, "number", scale(scaled, fill));
    }

    private static String scale(Scaled scaled, @Nullable Double fill) {
      return "%s, %s, %s, %d, %s"
          .formatted(
              scaled.min(),
              scaled.max(),
              scaled.log(),
              scaled.knots(),
              fill == null ? "Double.NaN" : fill);
    }

    @Override
    public void day(
        String column, String format, Scaled scaled, @Nullable Double fill, List<Double> missing) {
      int from = numbers.add(missing.stream().mapToDouble(day -> day).toArray());
      add(column, "day", text(format), scale(scaled, fill), from, from + missing.size());
    }

    @Override
    public void listed(String column, ListedTexts texts) {
      Stream<@Nullable Outcome> outcomes =
          Stream.concat(Stream.of(texts.other(), texts.missing()), texts.outcomes().stream());
      double[] flat =
          outcomes
              .flatMapToDouble(
                  o ->
                      o == null
                          ? DoubleStream.of(-1, 0, 0)
                          : DoubleStream.of(o.at(), o.value(), o.flagged() ? 1 : 0))
              .toArray();
      String list = "LIST_" + names.size();
      lists.add(
          "  private static final Texts %s = new Texts(%s, %s);"
              .formatted(list, texts.anyCase(), chunks("column '" + column + "'", texts.texts())));
      add(column, "listed", list, texts.width(), numbers.add(flat));
    }

    @Override
    public void hashed(String column, int buckets, boolean missing) {
      add(column, "hashed", buckets, missing);
    }

    @Override
    public void words(String column, EncoderReference encoder, boolean missing) {
      throw JsonExport.refusal("the column '" + column + "' of type text", encoder);
    }

    @Override
    public void unread(String column) {
      names.add(column);
    }
  }
}
