package io.mutune.trainer.check;

import io.mutune.trainer.table.BooleanType;
import io.mutune.trainer.table.Cell;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds out what one column looks like, from cell to cell. */
final class DraftTally {
  /** Above so many texts they are none that an owner would list. */
  static final int MAX_VALUES = 50;

  private static final Set<String> MISSING_WORDS =
      Set.of("?", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL");

  private final String name;
  private final boolean isFlat;
  private final Set<String> missingWords = new TreeSet<>();
  private final Set<String> values = new TreeSet<>();
  private long missing;
  private long present;
  private boolean numbers = true;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private boolean days = true;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  DraftTally(String name, boolean isFlat) {
    this.name = name;
    this.isFlat = isFlat;
  }

  void take(Cell cell) {
    String text = cell.text();
    if (cell.isMissing() || MISSING_WORDS.contains(text)) {
      missing++;
      if (!text.isEmpty()) {
        missingWords.add(text);
      }
      return;
    }
    present++;
    if (values.size() <= MAX_VALUES) {
      values.add(text);
    }
    if (numbers) {
      double number = cell.number();
      numbers = !Double.isNaN(number);
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
    if (days) {
      Long day = dayOf(cell, text);
      days = day != null;
      first = day == null ? first : Math.min(first, day);
      last = day == null ? last : Math.max(last, day);
    }
  }

  private static @Nullable Long dayOf(Cell cell, String text) {
    Long day = cell.day();
    try {
      return day != null ? day : Long.valueOf(LocalDate.parse(text).toEpochDay());
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The texts that look like missing values. */
  Set<String> missingWords() {
    return missingWords;
  }

  /** Few whole numbers, which may as well stand for classes. */
  private List<String> wholeNumbers() {
    boolean few = values.size() <= MAX_VALUES && values.stream().allMatch(text -> isWhole(text));
    return few
        ? values.stream().sorted(Comparator.comparingDouble(Double::parseDouble)).toList()
        : List.of();
  }

  private static boolean isWhole(String text) {
    return text.matches("-?[0-9]{1,15}");
  }

  DraftColumn column() {
    if (!isFlat) {
      return ignored("its values are lists or objects, or of a type that is not read");
    }
    if (present == 0) {
      return ignored("every value is missing");
    }
    if (values.size() <= 2 && values.stream().allMatch(DraftTally::isBoolean)) {
      return new DraftColumn(name, "boolean", null, null, List.copyOf(values), missing, "");
    }
    if (numbers) {
      return new DraftColumn(
          name, "number", Cell.written(least), Cell.written(most), wholeNumbers(), missing, "");
    }
    if (days) {
      return new DraftColumn(
          name,
          "date",
          LocalDate.ofEpochDay(first).toString(),
          LocalDate.ofEpochDay(last).toString(),
          List.of(),
          missing,
          "");
    }
    return values.size() <= MAX_VALUES
        ? new DraftColumn(name, "category", null, null, List.copyOf(values), missing, "")
        : ignored(
            "more than " + MAX_VALUES + " different texts: is it an id, a text, or to be hashed?");
  }

  private static boolean isBoolean(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    return BooleanType.YES.contains(word) || BooleanType.NO.contains(word);
  }

  private DraftColumn ignored(String question) {
    return new DraftColumn(name, "ignore", null, null, List.of(), missing, question);
  }
}
