package io.mutune.trainer.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The names in the first line of a file that is said to have some, for whoever holds it. */
final class HeaderText {
  private static final int MOST_NAMES = 40;
  private static final int LONGEST = 40;

  private HeaderText() {}

  /** To follow a sentence; empty where the file has no header. */
  static String of(DataSpec spec) throws IOException {
    if (!spec.csv().header()) {
      return "";
    }
    CsvFields fields = new CsvFields(spec.csv().delimiter(), DataSpec.MAX_FEATURES + 1);
    try (LineReader lines = LineReader.open(spec.file())) {
      for (long i = 0; i < spec.csv().skipLines() && lines.advance(); i++) {}
      while (lines.advance()) {
        if (lines.isEmpty()) {
          continue;
        }
        if (lines.tooLong() || !fields.split(lines.chars(), lines.from(), lines.to())) {
          return "";
        }
        return "; its header is: " + names(fields);
      }
    }
    return "";
  }

  private static String names(CsvFields fields) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < Math.min(fields.count(), MOST_NAMES); i++) {
      String name = fields.text(i).replaceAll("\\p{C}", "?");
      names.add(name.length() > LONGEST ? name.substring(0, LONGEST) + "…" : name);
    }
    if (fields.count() > MOST_NAMES) {
      names.add("and " + (fields.count() - MOST_NAMES) + " more");
    }
    return String.join(", ", names);
  }
}
