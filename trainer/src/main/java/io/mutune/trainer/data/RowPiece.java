package io.mutune.trainer.data;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a file on their way to the part that they belong to: as private as the rows.
 *
 * @param file its place in the data set, from 0
 * @param number of the piece in the file
 * @param features {@code [rows, columns]} as they are trained on
 * @param units whose rows they are; null where each row is one
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
    long unfit,
    @Nullable String problem)
    implements Serializable {
  RowPiece(int file, int number, float[] features, int[] labels, String @Nullable [] units) {
    this(file, number, features, labels, units, 0, null);
  }

  static RowPiece ofUnfit(int file, int number, long unfit) {
    return new RowPiece(file, number, new float[0], new int[0], null, unfit, null);
  }

  /** In place of the rest of a file that cannot be read. */
  public static RowPiece ofProblem(int file, String problem) {
    return new RowPiece(file, Integer.MAX_VALUE, new float[0], new int[0], null, 0, problem);
  }

  /**
   * Makes sure that all of its file could be read.
   *
   * @throws IllegalStateException if not; in one line
   */
  public void check() {
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowPiece";
  }
}
