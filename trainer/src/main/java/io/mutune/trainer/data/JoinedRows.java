package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a part, of all its pieces in any order. Of people it keeps the features of as many
 * rows as count, and ends with what one process keeps, in the same places.
 */
public final class JoinedRows {
  private final DataSpec spec;
  private final int columns;
  private final @Nullable UnitLimit limit;
  private final List<Taken> all = new ArrayList<>();

  /** Of people, by the place that the limit gives: those of the row that came to be kept last. */
  private final List<float[]> features = new ArrayList<>();

  /**
   * A piece, of people without its features.
   *
   * @param at the place of each row when it came, or {@link UnitLimit#NOWHERE}; null where each is
   *     a unit
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Taken(RowPiece piece, int @Nullable [] at) {}

  /**
   * @param columns of every piece
   */
  JoinedRows(DataSpec spec, int columns) {
    this.spec = spec;
    this.columns = columns;
    limit = UnitLimit.of(spec.table());
  }

  /**
   * Takes a piece more.
   *
   * @throws IllegalStateException if it tells that its file could not be read; in one line
   */
  public void take(RowPiece piece) {
    piece.check();
    all.add(limit == null ? new Taken(piece, null) : ofPeople(piece, limit));
  }

  private Taken ofPeople(RowPiece piece, UnitLimit limit) {
    int[] at = new int[piece.labels().length];
    for (int row = 0; row < at.length; row++) {
      at[row] = limit.place(piece.unit(row), piece.tag(row));
      if (at[row] == features.size()) {
        features.add(new float[columns]);
      }
      if (at[row] != UnitLimit.NOWHERE) {
        System.arraycopy(piece.features(), row * columns, features.get(at[row]), 0, columns);
      }
    }
    return new Taken(piece.with(new float[0]), at);
  }

  /** All that were taken, in the order of the data set; no others may follow. */
  public RowBlocks blocks() {
    all.sort(
        Comparator.comparingInt((Taken one) -> one.piece.file())
            .thenComparingInt(one -> one.piece.number()));
    return limit == null ? ofRows() : ofPeople();
  }

  private RowBlocks ofRows() {
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (Taken one : all) {
      blocks.add(new RowBlocks.Block(one.piece.features(), one.piece.labels()));
    }
    return new RowBlocks(columns, blocks, spec.labelling().size() == Labelling.REAL);
  }

  /**
   * A row that counts no more had a place until another of its person took it, as one does here in
   * the end: whatever stands for its features, they are not kept.
   */
  private RowBlocks ofPeople() {
    RowCollector rows = new RowCollector(spec, FeaturePipeline.of(), false);
    rows.beginMapped(columns);
    float[] nothing = new float[columns];
    for (Taken one : all) {
      RowPiece piece = one.piece;
      int[] at = Objects.requireNonNull(one.at, "rows of people are told apart");
      for (int row = 0; row < piece.labels().length; row++) {
        float[] values = at[row] == UnitLimit.NOWHERE ? nothing : features.get(at[row]);
        rows.tagged(values, piece.labels()[row], piece.unit(row), piece.tag(row));
      }
    }
    return rows.blocks();
  }
}
