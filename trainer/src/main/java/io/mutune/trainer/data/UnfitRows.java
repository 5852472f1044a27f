package io.mutune.trainer.data;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.table.TableEncoder;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a row that does not fit its description, or that is on another side of a split,
 * and how many did not fit. The first follows from the row alone, from public facts and from a key
 * that no row has a say in, so that data sets that differ in a row still do so afterwards; the
 * second is for whoever holds the files.
 */
public final class UnfitRows implements Serializable {
  private static final long serialVersionUID = 1;

  /** An error that tells where it is: for public rows, and for whoever holds the files. */
  public static final UnfitRows REFUSED = new UnfitRows(Rule.REFUSED, RowListener.SILENT, null);

  private enum Rule {
    REFUSED,

    /** As if the row were not there, before it has a slot, a coin or a place in an order. */
    DROPPED,

    /** All zeros after the feature maps, and {@link RowBlocks#NO_LABEL}: only its slot stays. */
    EMPTY
  }

  private final Rule rule;
  private final transient RowListener listener;
  private final @Nullable Taken taken;
  private long count;

  private UnfitRows(Rule rule, RowListener listener, @Nullable Taken taken) {
    this.rule = rule;
    this.listener = listener;
    this.taken = taken;
  }

  /** On another machine nobody hears of rows. */
  private Object readResolve() {
    return rule == Rule.REFUSED ? REFUSED : new UnfitRows(rule, RowListener.SILENT, taken);
  }

  /** The units that are meant. */
  private record Taken(UnitSplit split, UnitSplit.Side side) implements Serializable {
    boolean has(float[] values, @Nullable String unit) {
      return side.has(split.place(values, unit));
    }
  }

  /** What is equal to a row that contributes nothing, for protected rows. */
  public static UnfitRows of(Adjacency adjacency) {
    return new UnfitRows(
        adjacency == Adjacency.REPLACE_ONE ? Rule.EMPTY : Rule.DROPPED, RowListener.SILENT, null);
  }

  /**
   * The same of one side of a split: rows of other units are left out like those that do not fit.
   *
   * @throws IllegalArgumentException unless those are left out without a slot
   */
  UnfitRows on(UnitSplit split, UnitSplit.Side side) {
    if (rule != Rule.DROPPED) {
      throw new IllegalArgumentException("units are held out where they are added or removed");
    }
    return new UnfitRows(rule, listener, new Taken(split, side));
  }

  /** The same of rows that were put on their sides before. */
  UnfitRows ofAllUnits() {
    return taken == null ? this : new UnfitRows(rule, listener, null);
  }

  /** The same, none counted yet. */
  UnfitRows anew() {
    return this == REFUSED ? this : new UnfitRows(rule, listener, taken);
  }

  /** The same, where somebody hears of each row. */
  public UnfitRows heardBy(RowListener who) {
    return new UnfitRows(rule, who, taken);
  }

  /** Whether such a row is an error. */
  public boolean areRefused() {
    return rule == Rule.REFUSED;
  }

  /** Hands on the rows that fit, and of the others what is to become of them. */
  public RowSink around(RowSink sink) {
    return this == REFUSED ? sink : new Around(sink);
  }

  /** Counts what another count found too. */
  void add(UnfitRows found) {
    if (!areRefused()) {
      count += found.count;
    }
  }

  /** How many rows did not fit: as private as they are. */
  long count() {
    return count;
  }

  /** Part of the names of kept features, which are hashes of it. */
  @Override
  public String toString() {
    return taken == null ? rule.name() : rule + " " + taken.side + " " + taken.split.tag("");
  }

  private final class Around implements RowSink {
    private final RowSink sink;
    private float[] zeros = {};

    Around(RowSink sink) {
      this.sink = sink;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      zeros = new float[columns];
      sink.begin(columns);
    }

    @Override
    public void file(int number) {
      sink.file(number);
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) throws DataFormatException {
      if (taken == null || taken.has(values, unit)) {
        sink.row(values, label, unit);
      } else {
        sink.skipped();
      }
    }

    @Override
    public void encoded(TableEncoder cells, Place place) {
      sink.encoded(cells, place);
    }

    @Override
    public void done() {
      listener.row();
    }

    @Override
    public void doneBefore() {
      listener.kept();
    }

    @Override
    public void malformed(DataFormatException problem) throws DataFormatException {
      if (areRefused()) {
        sink.malformed(problem);
        return;
      }
      count++;
      if (rule == Rule.EMPTY) {
        sink.row(zeros, RowBlocks.NO_LABEL, null);
      } else {
        sink.skipped();
      }
    }
  }
}
