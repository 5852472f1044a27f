package io.mutune.trainer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@link DataCheck} found. Private, every number of it.
 *
 * @param rows those without a problem
 * @param columns features of a row; 0 where the file broke before it told
 * @param classCounts in the order of the class labels; none where targets are real
 * @param zeroRows rows whose norm is zero after the feature maps: they teach nothing
 * @param clampedValues values outside the bounds of a {@code scale}, cut to the nearer bound
 * @param targetsAtBound real targets at a bound of their range or beyond it, which are cut to it
 * @param table what became of typed columns; null where columns are numbers
 * @param unfitRows rows with a cell that does not fit, or that could not be split into cells
 * @param broken whether it cannot be read as a whole; no more than the problems is told then
 * @param problems with file and place, at most {@link DataCheck#MAX_PROBLEMS}; no value of the file
 */
public record DataReport(
    long rows,
    int columns,
    List<ClassCount> classCounts,
    long zeroRows,
    long clampedValues,
    long targetsAtBound,
    @Nullable TableReport table,
    long unfitRows,
    boolean broken,
    List<String> problems) {
  private static final double TOLERANCE = 0.1;
  private static final long FAR = 10;

  /** How many rows have that label. */
  public record ClassCount(String label, long rows) {}

  public DataReport {
    classCounts = List.copyOf(classCounts);
    problems = List.copyOf(problems);
  }

  /** The sentences of {@link #comparison} as one text. */
  public String compareWith(long publicRows) {
    return String.join(" ", comparison(publicRows));
  }

  /**
   * Sentences on whether these rows suit what is stated of them, as private as the report.
   *
   * @param publicRows how many rows are stated, or people where these are the units; at least 1
   */
  public List<String> comparison(long publicRows) {
    if (publicRows < 1) {
      throw new IllegalArgumentException("rows must be at least 1; was " + publicRows);
    }
    if (broken) {
      return List.of("The file does not have the form that is stated, and no trial can run.");
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(compareRows(publicRows));
    for (ClassCount count : classCounts) {
      if (count.rows() == 0) {
        sentences.add("No row has the label '" + count.label() + "'.");
      }
    }
    if (zeroRows > 0) {
      sentences.add(zeroRows + " rows are all zeros after the feature maps and teach nothing.");
    }
    if (clampedValues > 0) {
      sentences.add(clampedValues + " values lie outside the bounds of scale and are cut to them.");
    }
    if (targetsAtBound > 0) {
      sentences.add(
          targetsAtBound + " targets are at a bound of their range, or beyond it and cut to it.");
    }
    sentences.addAll(findings());
    return List.copyOf(sentences);
  }

  /** Sentences on what of the file a study does not take as it stands, as private as the report. */
  public List<String> findings() {
    List<String> sentences = new ArrayList<>();
    if (table != null) {
      sentences.addAll(table.sentences());
    }
    if (unfitRows > 0) {
      sentences.add(
          (unfitRows == 1 ? "1 row does" : unfitRows + " rows do")
              + " not fit: a study treats private ones as absent, and refuses public ones.");
    }
    return sentences;
  }

  /**
   * Whether the public number is that far from the file's that it is hardly meant: ten times, or a
   * tenth. As private as the report.
   */
  public boolean isFarFrom(long publicRows) {
    return publicRows >= Math.multiplyExact(FAR, Math.max(1, rows)) || rows / FAR >= publicRows;
  }

  private String compareRows(long publicRows) {
    boolean areUnits = table != null && table.units() > 0;
    long counted = areUnits ? Objects.requireNonNull(table).units() : rows;
    String unit = areUnits ? "people" : "rows";
    if (counted == 0) {
      return "The file has no %s that fit, and %d are stated.".formatted(unit, publicRows);
    }
    double apart = Math.abs(counted - publicRows) / (double) publicRows;
    String numbers =
        String.format(
            Locale.ROOT,
            "The file has %d %s and %d are stated, %.1f%% apart",
            counted,
            unit,
            publicRows,
            100 * apart);
    if (apart <= TOLERANCE) {
      return numbers + ": close enough.";
    }
    return numbers
        + ": more than 10%. Steps and noise are scaled by the stated number, so privacy is not at"
        + " stake but accuracy is. Choose a rounder public figure, not the exact count.";
  }
}
