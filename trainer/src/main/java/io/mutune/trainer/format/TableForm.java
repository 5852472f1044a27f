package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.DecimalText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which format a file has, and which columns, by a look at it.
 *
 * @param layout of no meaning but for CSV and TSV
 * @param headerIsSure whether the names of the columns can be no row
 */
public record TableForm(
    DataFormat format, CsvLayout layout, List<Named> columns, boolean headerIsSure) {
  /** Texts that programs write for nothing. */
  public static final Set<String> MISSING_WORDS =
      Set.of("?", "NA", "N/A", "#N/A", "NaN", "nan", "null", "NULL");

  private static final List<Character> DELIMITERS = List.of(',', '\t', ';', '|');
  private static final int LOOKED_AT = 200;
  private static final int MAX_SKIPPED = 10;

  /**
   * A column.
   *
   * @param isFlat whether its values are texts, numbers, flags or days
   */
  public record Named(String name, boolean isFlat) {}

  public static TableForm of(Path file) throws IOException {
    CsvLayout none = CsvLayout.ofTable(',', true, false, 0);
    if (FileKind.of(file, true).equals(Optional.of(FileKind.PARQUET))) {
      return new TableForm(DataFormat.PARQUET, none, ParquetReader.columns(file), true);
    }
    List<Long> numbers = new ArrayList<>();
    List<String> lines = firstLines(file, numbers);
    if (lines.isEmpty()) {
      throw DataFormatException.in(file, "is empty");
    }
    return lines.get(0).startsWith("{")
        ? new TableForm(DataFormat.JSONL, none, JsonLinesReader.columns(file), true)
        : delimited(file, lines, numbers);
  }

  /**
   * Without blank ones, which are no rows.
   *
   * @param numbers takes those of the lines, from 1
   */
  private static List<String> firstLines(Path file, List<Long> numbers) throws IOException {
    List<String> found = new ArrayList<>();
    try (LineReader lines = LineReader.open(file)) {
      while (found.size() < LOOKED_AT && lines.advanceToText()) {
        found.add(lines.text());
        numbers.add(lines.number());
      }
    }
    return found;
  }

  private static TableForm delimited(Path file, List<String> lines, List<Long> numbers)
      throws DataFormatException {
    char delimiter = ',';
    int most = 0;
    for (char one : DELIMITERS) {
      List<List<String>> rows = split(lines, one);
      int width = usualWidth(rows);
      int whole = (int) rows.stream().filter(row -> row.size() == width).count();
      if (width > 1 && whole > most) {
        most = whole;
        delimiter = one;
      }
    }
    List<List<String>> rows = split(lines, delimiter);
    int width = usualWidth(rows);
    if (width < 2) {
      throw DataFormatException.in(
          file,
          "is neither CSV, TSV, JSON lines nor Parquet, or has one column, or line breaks in fields"
              + " (for those write the card by hand, with lineBreaks: true)");
    }
    int first = 0;
    while (first < MAX_SKIPPED && rows.get(first).size() != width) {
      first++;
    }
    List<List<String>> whole =
        rows.subList(first, rows.size()).stream().filter(row -> row.size() == width).toList();
    boolean mayBeNames = mayBeNames(whole);
    boolean areNames = mayBeNames || areNames(whole);
    boolean header = areNames && areDistinct(whole.get(0));
    int place = areNames && !header ? rows.indexOf(whole.get(0)) : first - 1;
    int skipped = place < 0 ? 0 : Math.toIntExact(numbers.get(place));
    List<String> names =
        areNames ? distinct(whole.get(0)) : distinct(Collections.nCopies(width, ""));
    return new TableForm(
        delimiter == '\t' ? DataFormat.TSV : DataFormat.CSV,
        CsvLayout.ofTable(delimiter, header, false, skipped),
        names.stream().map(name -> new Named(name, true)).toList(),
        !areNames || (!mayBeNames && isAboveNumbers(whole)));
  }

  private static boolean areDistinct(List<String> names) {
    return !names.contains("") && new HashSet<>(names).size() == names.size();
  }

  /** Each as it is, but for one that is empty or there before, which is named by its place. */
  private static List<String> distinct(List<String> names) {
    Set<String> distinct = new LinkedHashSet<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      for (int j = i + 1; name.isEmpty() || !distinct.add(name); j += names.size()) {
        name = "column" + j;
      }
    }
    return List.copyOf(distinct);
  }

  private static List<List<String>> split(List<String> lines, char delimiter) {
    CsvFields fields = new CsvFields(delimiter, RowForm.MAX_FEATURES + 1);
    return lines.stream()
        .map(
            line ->
                fields.split(line.toCharArray(), 0, line.length())
                    ? fields.texts()
                    : List.<String>of())
        .toList();
  }

  /** The number of fields that most lines have. */
  private static int usualWidth(List<List<String>> rows) {
    Map<Integer, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row.size(), 1, Integer::sum));
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  /**
   * Names are texts, above a column of numbers, or none of them occurs below itself again. Those
   * that are empty or there twice, as of an index or of tables that were joined, have to do both;
   * what stands below an empty one says nothing.
   */
  private static boolean areNames(List<List<String>> rows) {
    List<String> first = rows.get(0);
    boolean distinct = areDistinct(first);
    List<List<String>> rest = rows.subList(1, rows.size());
    boolean isRow =
        IntStream.range(0, first.size())
            .anyMatch(
                i ->
                    isNumber(first.get(i))
                        || (MISSING_WORDS.contains(first.get(i)) && areNumbers(rest, i)));
    if (isRow || rest.isEmpty()) {
      return distinct && !isRow;
    }
    boolean aboveNumbers = isAboveNumbers(rows);
    boolean seenAgain =
        IntStream.range(0, first.size())
            .filter(i -> distinct || !first.get(i).isEmpty())
            .anyMatch(i -> rest.stream().anyMatch(row -> row.get(i).equals(first.get(i))));
    return distinct ? aboveNumbers || !seenAgain : aboveNumbers && !seenAgain;
  }

  /**
   * Names, though some are numbers, such as years: the others are texts that do not occur below
   * themselves, above numbers or above what does occur again.
   */
  private static boolean mayBeNames(List<List<String>> rows) {
    List<String> first = rows.get(0);
    List<List<String>> rest = rows.subList(1, rows.size());
    int[] texts = IntStream.range(0, first.size()).filter(i -> !isNumber(first.get(i))).toArray();
    return texts.length < first.size()
        && areDistinct(first)
        && Arrays.stream(texts).allMatch(i -> isUnlike(first.get(i), rest, i))
        && Arrays.stream(texts)
            .anyMatch(
                i ->
                    areNumbers(rest, i)
                        || rest.stream().map(row -> row.get(i)).distinct().count() < rest.size());
  }

  private static boolean isUnlike(String name, List<List<String>> rows, int column) {
    return !MISSING_WORDS.contains(name)
        && rows.stream().noneMatch(row -> row.get(column).equals(name));
  }

  private static boolean isAboveNumbers(List<List<String>> rows) {
    List<String> first = rows.get(0);
    List<List<String>> rest = rows.subList(1, rows.size());
    return IntStream.range(0, first.size())
        .filter(i -> !first.get(i).isEmpty())
        .anyMatch(i -> areNumbers(rest, i));
  }

  private static boolean areNumbers(List<List<String>> rows, int column) {
    return !rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column)));
  }

  private static boolean isNumber(String text) {
    return !Double.isNaN(DecimalText.parseDouble(text));
  }
}
