package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.Cell;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TableEncoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the readers of files with typed columns have in common: from a record's cells to a row. */
final class TableRows {
  /** Of a column of a file that is not read. */
  static final int UNREAD = -1;

  private final RowSpec spec;
  private final RowSink sink;
  private final TableEncoder encoder;
  private final Map<String, Integer> positions = new HashMap<>();

  /** Of rows whose columns have types. */
  TableRows(RowSpec spec, RowSink sink) {
    Table table = Objects.requireNonNull(spec.table());
    this.spec = spec;
    this.sink = sink;
    this.encoder = new TableEncoder(table, spec.labelling() != null);
    for (int i = 0; i < table.columns().size(); i++) {
      positions.put(table.columns().get(i).name(), i);
    }
  }

  int width() {
    return encoder.table().width();
  }

  /** How many columns the table names. */
  int columns() {
    return positions.size();
  }

  boolean isRead(int column) {
    return encoder.isRead(column);
  }

  String name(int column) {
    return encoder.table().columns().get(column).name();
  }

  /**
   * Whether columns that the table does not name are no mistake: of rows for a model to predict.
   */
  boolean passesOverOthers() {
    return spec.labelling() == null;
  }

  /** The position of the column of that name among the table's, from 0; null if there is none. */
  @Nullable Integer position(String name) {
    return positions.get(name);
  }

  /** The cell of a column, by its position among the table's. */
  Cell cell(int column) {
    return encoder.cell(column);
  }

  /**
   * For each column of a file that names them its position among the table's, or {@link #UNREAD}.
   *
   * @return null if the file's columns are these, otherwise what is wrong, in words that show no
   *     name of the file
   */
  @Nullable String place(List<String> names, int[] places) {
    Arrays.fill(places, UNREAD);
    boolean[] found = new boolean[columns()];
    for (int i = 0; i < places.length; i++) {
      Integer position = position(names.get(i));
      if (position == null && passesOverOthers()) {
        continue;
      }
      if (position == null) {
        return "has a column, number "
            + (i + 1)
            + ", that is none of those named: name it, with the type ignore if it is of no use, or take"
            + " it out of the file";
      }
      if (found[position]) {
        return "has the column '" + names.get(i) + "' twice";
      }
      found[position] = true;
      places[i] = isRead(position) ? position : UNREAD;
    }
    for (int i = 0; i < found.length; i++) {
      if (!found[i] && isRead(i)) {
        return "has no column '" + name(i) + "'";
      }
    }
    return null;
  }

  /**
   * The same of a file that does not name its columns, whose rows have so many fields: they are the
   * table's columns, or, where no label is asked for and there is one field less, all but the
   * label. That is so only where every other column is read: else another one may be what is not
   * there, and the label would be taken for a feature.
   */
  int[] places(int fields) {
    List<Column> columns = encoder.table().columns();
    int label = encoder.table().label().map(columns::indexOf).orElse(UNREAD);
    boolean lacksLabel =
        spec.labelling() == null
            && label != UNREAD
            && fields == columns.size() - 1
            && IntStream.range(0, columns.size()).allMatch(i -> i == label || isRead(i));
    return IntStream.range(0, columns.size())
        .filter(i -> !lacksLabel || i != label)
        .map(i -> isRead(i) ? i : UNREAD)
        .toArray();
  }

  /**
   * Makes a row's numbers of the cells.
   *
   * @throws DataFormatException if a column does not fit
   */
  void encode(float[] values, RowSink.Place place) throws DataFormatException {
    boolean fits = encoder.encode(values);
    sink.encoded(encoder, place);
    if (!fits) {
      throw place.problem(encoder.fault());
    }
  }

  /** Of the row that was encoded last. */
  int label() {
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    double label = encoder.label();
    return labelling.size() == Labelling.REAL ? TargetRange.code(label) : (int) label;
  }

  /** Of the row that was encoded last. */
  @Nullable String unit() {
    return encoder.unit();
  }
}
