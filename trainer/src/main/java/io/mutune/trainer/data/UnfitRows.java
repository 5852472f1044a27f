package io.mutune.trainer.data;

import io.mutune.accountant.Adjacency;

/**
 * What becomes of a row that does not fit its description. It follows from the row alone and from
 * public facts, so that data sets that differ in a row still do so afterwards.
 */
enum UnfitRows {
  /** An error that tells where it is: for public rows, and for whoever holds the files. */
  REFUSED,

  /** As if the row were not there, before it has a slot, a coin or a place in an order. */
  DROPPED,

  /** All zeros after the feature maps, and {@link RowBlocks#NO_LABEL}: only its slot stays. */
  EMPTY;

  /** What is equal to a row that contributes nothing, for protected rows. */
  static UnfitRows of(Adjacency adjacency) {
    return adjacency == Adjacency.REPLACE_ONE ? EMPTY : DROPPED;
  }

  /** Hands on the rows that fit, and of the others what is to become of them. */
  RowSink around(RowSink sink) {
    return this == REFUSED ? sink : new Tolerant(sink, this == EMPTY);
  }

  private static final class Tolerant implements RowSink {
    private final RowSink sink;
    private final boolean keepsSlot;
    private float[] zeros = {};

    Tolerant(RowSink sink, boolean keepsSlot) {
      this.sink = sink;
      this.keepsSlot = keepsSlot;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      zeros = new float[columns];
      sink.begin(columns);
    }

    @Override
    public void row(float[] values, int label) {
      sink.row(values, label);
    }

    @Override
    public void malformed(DataFormatException problem) {
      if (keepsSlot) {
        sink.row(zeros, RowBlocks.NO_LABEL);
      } else {
        sink.skipped();
      }
    }
  }
}
