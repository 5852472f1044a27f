package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.document.StoredModel;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Predictor;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a model says of rows, a line a row: which class with which probability, or, after a loss
 * that has none, with which score; or the target.
 */
final class PredictionLines {
  private final boolean json;
  private final Link link;

  /** What stands in a line beside the row's number: a head of CSV, or a key of JSON lines. */
  private final List<String> numbers;

  private final List<String> classes;
  private final @Nullable TargetRange range;
  private final boolean named;

  private PredictionLines(StoredModel model, boolean named, boolean json) {
    this.json = json;
    this.named = named;
    this.link = model.link();
    this.classes =
        model.labelling() instanceof ClassLabels labels
            ? labels.names().stream().map(this::written).toList()
            : List.of();
    this.range = model.labelling() instanceof TargetRange target ? target : null;
    String kind = json ? "" : kind(model);
    this.numbers = numbers(model).stream().map(name -> written(kind + name)).toList();
  }

  /** What is before a class's name in the head of its column. */
  static String kind(StoredModel model) {
    return model.link() == Link.NONE ? "score_" : "probability_";
  }

  /** The classes of which there is a number for each row, in their order. */
  static List<String> numbers(StoredModel model) {
    if (!(model.labelling() instanceof ClassLabels labels)) {
      return List.of();
    }
    // One score alone speaks for the second of two classes.
    boolean one = model.link() == Link.NONE && model.model().columns() == 1;
    return labels.names().subList(one ? 1 : 0, labels.names().size());
  }

  /**
   * As CSV.
   *
   * @param named whether rows have the names of files
   */
  static PredictionLines csv(StoredModel model, boolean named) {
    return new PredictionLines(model, named, false);
  }

  /** The same as JSON lines. */
  static PredictionLines json(StoredModel model, boolean named) {
    return new PredictionLines(model, named, true);
  }

  /** Before all rows. */
  String head() {
    if (json) {
      return "";
    }
    return (named ? "row,file," : "row,")
        + (range != null ? "target\n" : "class," + String.join(",", numbers) + "\n");
  }

  /** Takes the lines of consecutive rows. */
  Piece from(long first) {
    return new Piece(first);
  }

  /** The lines of consecutive rows. */
  final class Piece implements Predictor.Scored {
    private final StringBuilder text = new StringBuilder();
    private final double[] probabilities = new double[classes.size()];
    private long row;
    private String file = "";

    Piece(long first) {
      this.row = first;
    }

    @Override
    public void name(String itsFile) {
      file = written(itsFile);
    }

    StringBuilder text() {
      return text;
    }

    @Override
    public void row(double[] scores) {
      row++;
      double[] shown = scores;
      if (range == null && link != Link.NONE) {
        link.probabilities(scores, probabilities);
        shown = probabilities;
      }
      if (json) {
        jsonLine(scores, shown);
      } else {
        csvLine(scores, shown);
      }
      text.append('\n');
    }

    private void csvLine(double[] scores, double[] shown) {
      text.append(row).append(',');
      if (named) {
        text.append(file).append(',');
      }
      if (range != null) {
        text.append(range.target(LinearModel.target(scores)));
        return;
      }
      text.append(classes.get(LinearModel.classOf(scores)));
      for (double number : shown) {
        number(text.append(','), number, "");
      }
    }

    private void jsonLine(double[] scores, double[] shown) {
      text.append("{\"row\":").append(row);
      if (named) {
        text.append(",\"file\":").append(file);
      }
      if (range != null) {
        text.append(",\"target\":").append(range.target(LinearModel.target(scores))).append('}');
        return;
      }
      text.append(",\"class\":").append(classes.get(LinearModel.classOf(scores)));
      text.append(link == Link.NONE ? ",\"scores\":" : ",\"probabilities\":");
      for (int c = 0; c < shown.length; c++) {
        text.append(c == 0 ? '{' : ',').append(numbers.get(c)).append(':');
        number(text, shown[c], "null");
      }
      text.append("}}");
    }
  }

  private static void number(StringBuilder text, double number, String none) {
    if (Float.isFinite((float) number)) {
      text.append((float) number);
    } else {
      text.append(none);
    }
  }

  private String written(String name) {
    if (json) {
      StringBuilder quoted = new StringBuilder("\"");
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (c < ' ') {
          quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
        } else {
          quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
      }
      return quoted.append('"').toString();
    }
    boolean plain = name.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
  }
}
