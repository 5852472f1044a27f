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
 * @param unfit how many rows did not fit, where a piece tells that alone
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowPiece(
    int file, int number, float[] features, int[] labels, String @Nullable [] units, long unfit)
    implements Serializable {
  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowPiece";
  }
}
