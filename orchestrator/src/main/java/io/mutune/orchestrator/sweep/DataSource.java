package io.mutune.orchestrator.sweep;

import io.mutune.trainer.data.UnitSplit;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.score.PublicUnits;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * One data set of a sweep.
 *
 * @param rows the public statement about its size, in people where these are the unit of privacy
 *     and the rows are private; always there for private data
 * @param isPrivate whether its rows need protection, so that only charged figures of it are shown
 * @param side where it is one side of a split of the units of its files
 */
public record DataSource(
    DataSpec spec, OptionalLong rows, boolean isPrivate, Optional<UnitSplit.Side> side) {
  /** All rows of the files, or of their range. */
  public DataSource(DataSpec spec, OptionalLong rows, boolean isPrivate) {
    this(spec, rows, isPrivate, Optional.empty());
  }

  /**
   * The same files with other columns.
   *
   * @param change of the table that the rows have
   */
  public DataSource withTable(UnaryOperator<Table> change) {
    Table table = change.apply(Objects.requireNonNull(spec.table()));
    return new DataSource(
        DataSpec.of(spec.files(), spec.format(), spec.csv(), table, spec.range()),
        rows,
        isPrivate,
        side);
  }

  /** The files that it is read from. */
  public List<Path> files() {
    return spec.files();
  }

  /** The public number of its units, and by what chance each of all is among them. */
  public PublicUnits units() {
    return new PublicUnits(rows.orElseThrow(), side.map(UnitSplit.Side::share).orElse(1.0));
  }

  /**
   * Whether the ranges of the two may select a common row of a file that both name; without a range
   * all are selected. Positions mean the same rows only where the file is laid out alike and alone:
   * of a set of several files, or of a file that is read in two ways, all ranges overlap.
   */
  public boolean overlaps(DataSource other) {
    if (side.isPresent() && other.side.isPresent()) {
      // Two sides of the one split that there is.
      return side.equals(other.side);
    }
    RowRange mine = spec.range();
    RowRange theirs = other.spec.range();
    return mine == null
        || theirs == null
        || spec.parts().size() > 1
        || other.spec.parts().size() > 1
        || spec.format() != other.spec.format()
        || !spec.csv().hasRowsOf(other.spec.csv())
        || (mine.first() <= theirs.last() && theirs.first() <= mine.last());
  }

  public DataSource {
    if (isPrivate && rows.isEmpty()) {
      throw new IllegalArgumentException("private data need a public row count");
    }
    if (side.isPresent() && !isPrivate) {
      throw new IllegalArgumentException("units are held out of private rows alone");
    }
  }
}
