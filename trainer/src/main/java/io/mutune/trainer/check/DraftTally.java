package io.mutune.trainer.check;

import io.mutune.trainer.format.TableForm;
import io.mutune.trainer.table.BooleanType;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.DateType;
import io.mutune.trainer.table.DecimalText;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds out what one column looks like, from cell to cell. */
final class DraftTally {
  /** Above so many texts they are none that an owner would list. */
  static final int MAX_VALUES = 50;

  /** Of days, the first that fits all of them. */
  private static final List<String> DAY_FORMATS =
      List.of(
          DateType.ISO,
          "dd.MM.yyyy",
          "dd/MM/yyyy",
          "MM/dd/yyyy",
          "yyyy-M-d[ H:mm[:ss]][.SSSSSS][.SSS]",
          "yyyy-MM-dd'T'HH:mm[:ss][.SSSSSS][.SSS][XXX][X]",
          "yyyy/M/d[ H:mm[:ss]]",
          "d.M.yyyy[ H:mm[:ss]]",
          "d/M/yyyy[ H:mm[:ss]]",
          "M/d/yyyy[ H:mm[:ss]]",
          "M/d/yyyy[ h:mm[:ss] a]",
          "d-M-yyyy[ H:mm[:ss]]",
          "M-d-yyyy[ H:mm[:ss]]");

  /** Digits and what people write around them, such as 12,5 or $1,200.00. */
  private static final Pattern NUMBER_LIKE =
      Pattern.compile("[^\\p{L}\\p{N}]{0,3}[0-9][0-9 .,']*[^\\p{L}\\p{N}]{0,3}");

  private static final String NUMBERS =
      "are these numbers? they are read with a decimal point alone (1.5, not 1,5) and no other"
          + " signs: write the file so";

  private final String name;
  private final boolean isFlat;
  private final Set<String> missingWords = new TreeSet<>();
  private final Set<String> values = new TreeSet<>();
  private long missing;
  private long present;
  private boolean numbers = true;
  private boolean numberLike = true;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private final List<Days> days = new ArrayList<>(DAY_FORMATS.stream().map(Days::new).toList());

  DraftTally(String name, boolean isFlat) {
    this.name = name;
    this.isFlat = isFlat;
  }

  void take(Cell cell) {
    String text = cell.text();
    if (cell.isMissing() || TableForm.MISSING_WORDS.contains(text)) {
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
    numberLike = numberLike && NUMBER_LIKE.matcher(text).matches();
    if (numbers) {
      double number = cell.number();
      numbers = !Double.isNaN(number);
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
    days.removeIf(one -> !one.take(cell, text));
  }

  /** What the column is if all its cells are days of one format. */
  private static final class Days {
    private final String format;
    private final DateTimeFormatter formatter;
    private LocalDate first = LocalDate.MAX;
    private LocalDate last = LocalDate.MIN;
    private int all;

    Days(String format) {
      this.format = format;
      formatter = DateType.formatter(format);
    }

    boolean take(Cell cell, String text) {
      Long whole = cell.day();
      try {
        LocalDate day =
            whole != null ? LocalDate.ofEpochDay(whole) : LocalDate.parse(text, formatter);
        first = day.isBefore(first) ? day : first;
        last = day.isAfter(last) ? day : last;
        all = 31 * all + day.hashCode();
        return true;
      } catch (DateTimeException e) {
        return false;
      }
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
      return listed("boolean", "");
    }
    if (numbers) {
      return new DraftColumn(
          name, "number", Cell.written(least), Cell.written(most), wholeNumbers(), missing, "", "");
    }
    if (!days.isEmpty()) {
      Days first = days.get(0);
      return new DraftColumn(
          name,
          "date",
          first.first.toString(),
          first.last.toString(),
          List.of(),
          missing,
          days.stream()
              .filter(other -> other.all != first.all)
              .findFirst()
              .map(other -> "is it %s or %s?".formatted(first.format, other.format))
              .orElse(""),
          first.format);
    }
    return values.size() <= MAX_VALUES
        ? listed("category", sameNumber().orElse(numberLike ? NUMBERS : ""))
        : ignored(
            numberLike
                ? NUMBERS
                : "more than "
                    + MAX_VALUES
                    + " different texts: is it an id, a text, or to be hashed?");
  }

  /** A list takes texts that are one number, such as 07 and 7, once. */
  private Optional<String> sameNumber() {
    Map<Double, String> known = new HashMap<>();
    for (String text : values) {
      double number = DecimalText.parseDouble(text);
      String other = Double.isNaN(number) ? null : known.putIfAbsent(number + 0.0, text);
      if (other != null) {
        return Optional.of("%s and %s are one number: keep one of them".formatted(other, text));
      }
    }
    return Optional.empty();
  }

  private static boolean isBoolean(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    return BooleanType.YES.contains(word) || BooleanType.NO.contains(word);
  }

  private DraftColumn listed(String type, String question) {
    return new DraftColumn(name, type, null, null, List.copyOf(values), missing, question, "");
  }

  private DraftColumn ignored(String question) {
    return new DraftColumn(name, "ignore", null, null, List.of(), missing, question, "");
  }
}
