package io.mutune.trainer.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of texts and which numbers each of them becomes: all 0 but one, or but one and a flag. Two
 * texts that are both numbers are equal where their numbers are.
 *
 * @param width how many numbers a cell becomes
 * @param outcomes one for each text
 * @param other of texts that are not in the list; null where these do not fit
 * @param missing of a missing text; null where that does not fit
 * @param anyCase whether texts are equal whatever the case of their letters
 */
public record ListedTexts(
    int width,
    List<String> texts,
    List<Outcome> outcomes,
    @Nullable Outcome other,
    @Nullable Outcome missing,
    boolean anyCase) {
  /**
   * What a cell becomes.
   *
   * @param at the position, from 0, of its number among the cell's; all others are 0
   * @param flagged whether the last position has a 1 beside
   */
  public record Outcome(int at, double value, boolean flagged) {}

  public ListedTexts {
    texts = List.copyOf(texts);
    outcomes = List.copyOf(outcomes);
  }

  /** Asks the type itself what it makes of each text. */
  static ListedTexts of(
      ColumnType type, List<String> texts, @Nullable Outcome other, boolean anyCase) {
    List<Outcome> outcomes = new ArrayList<>();
    for (String text : texts) {
      Cell cell = new Cell();
      cell.setText(text);
      float[] row = new float[type.width()];
      type.encode(cell, row, 0);
      outcomes.add(outcome(row, false));
    }
    float[] row = new float[type.width()];
    boolean fills = type.encodeMissing(row, 0).isFit();
    boolean flagged = fills && !(type instanceof CategoryType);
    Outcome missing = fills ? outcome(row, flagged) : null;
    return new ListedTexts(type.width(), texts, outcomes, other, missing, anyCase);
  }

  private static Outcome outcome(float[] row, boolean flagged) {
    int numbers = flagged ? row.length - 1 : row.length;
    int at = 0;
    for (int i = 0; i < numbers; i++) {
      at = row[i] == 0 ? at : i;
    }
    return new Outcome(at, row[at], flagged);
  }
}
