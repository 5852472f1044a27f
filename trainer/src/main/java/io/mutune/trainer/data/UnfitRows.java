package io.mutune.trainer.data;

import io.mutune.accountant.Adjacency;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a row that does not fit its description, and how many there were. The first
 * follows from the row alone and from public facts, so that data sets that differ in a row still do
 * so afterwards; the second is for whoever holds the files.
 */
final class UnfitRows {
  /** An error that tells where it is: for public rows, and for whoever holds the files. */
  static final UnfitRows REFUSED = new UnfitRows(Rule.REFUSED);

  private enum Rule {
    REFUSED,

    /** As if the row were not there, before it has a slot, a coin or a place in an order. */
    DROPPED,

    /** All zeros after the feature maps, and {@link RowBlocks#NO_LABEL}: only its slot stays. */
    EMPTY
  }

  private final Rule rule;
  private long count;

  private UnfitRows(Rule rule) {
    this.rule = rule;
  }

  /** What is equal to a row that contributes nothing, for protected rows. */
  static UnfitRows of(Adjacency adjacency) {
    return new UnfitRows(adjacency == Adjacency.REPLACE_ONE ? Rule.EMPTY : Rule.DROPPED);
  }

  /** The same, none counted yet. */
  UnfitRows anew() {
    return this == REFUSED ? this : new UnfitRows(rule);
  }

  /** Hands on the rows that fit, and of the others what is to become of them. */
  RowSink around(RowSink sink) {
    return this == REFUSED ? sink : new Tolerant(sink);
  }

  /** How many rows did not fit: as private as they are. */
  long count() {
    return count;
  }

  /** Part of the names of kept features. */
  @Override
  public String toString() {
    return rule.name();
  }

  private final class Tolerant implements RowSink {
    private final RowSink sink;
    private float[] zeros = {};

    Tolerant(RowSink sink) {
      this.sink = sink;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      zeros = new float[columns];
      sink.begin(columns);
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
      sink.row(values, label, unit);
    }

    @Override
    public void malformed(DataFormatException problem) throws DataFormatException {
      count++;
      if (rule == Rule.EMPTY) {
        sink.row(zeros, RowBlocks.NO_LABEL, null);
      } else {
        sink.skipped();
      }
    }
  }
}
