package io.mutune.trainer.data;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a file on their way to the part that they belong to: as private as the rows.
 *
 * @param file its place in the data set, from 0
 * @param number of the piece in the file
 * @param features {@code [rows, columns]} as they are trained on
 * @param units whose rows they are; null where each row is one
 * @param tags of each row of a unit, of {@link UnitLimit#tag}
 * @param unfit how many rows of the file did not fit, where a piece tells that alone
 * @param problem why the file cannot be read, where a piece tells that alone
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowPiece(
    int file,
    int number,
    float[] features,
    int[] labels,
    String @Nullable [] units,
    long @Nullable [] tags,
    long unfit,
    @Nullable String problem)
    implements Serializable {
  static RowPiece ofUnfit(int file, int number, long unfit) {
    return new RowPiece(file, number, new float[0], new int[0], null, null, unfit, null);
  }

  /** In place of the rest of a file that cannot be read. */
  public static RowPiece ofProblem(int file, String problem) {
    return new RowPiece(file, Integer.MAX_VALUE, new float[0], new int[0], null, null, 0, problem);
  }

  /** The same with other features. */
  RowPiece with(float[] others) {
    return new RowPiece(file, number, others, labels, units, tags, unfit, problem);
  }

  /** Whose a row is, of rows of units. */
  String unit(int row) {
    return Objects.requireNonNull(units, "each row is a unit of its own, without a name")[row];
  }

  /** The tag of a row, of rows of units. */
  long tag(int row) {
    return Objects.requireNonNull(tags, "each row is a unit of its own, without a tag")[row];
  }

  /**
   * Makes sure that all of its file could be read.
   *
   * @throws IllegalStateException if not; in one line
   */
  public void check() {
    if (problem != null) {
      throw new IllegalStateException(RowFiles.UNREAD + problem);
    }
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowPiece";
  }
}
