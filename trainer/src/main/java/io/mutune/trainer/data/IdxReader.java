package io.mutune.trainer.data;

import java.io.IOException;
import java.util.Objects;
import java.util.OptionalInt;

/** Reads a pair of IDX files: records of unsigned bytes or float32, and a label byte for each. */
final class IdxReader implements RowReader {
  private final DataSpec spec;

  IdxReader(DataSpec spec) {
    this.spec = spec;
  }

  @Override
  public void read(RowSink sink) throws IOException {
    try (IdxFile rows = IdxFile.open(spec.file());
        IdxFile labels = IdxFile.open(Objects.requireNonNull(spec.labels()))) {
      checkHeaders(rows, labels);
      RowFeed feed = new RowFeed(spec.range(), rows.columns(), sink);
      int left = rows.records();
      for (; left > 0 && !feed.done(); left--) {
        rows.next();
        labels.next();
        feed.next(values -> parse(rows, labels, values));
      }
      if (left == 0) {
        rows.expectEnd();
        labels.expectEnd();
      }
    }
  }

  private void checkHeaders(IdxFile rows, IdxFile labels) throws DataFormatException {
    if (rows.dimensions() < 2) {
      throw rows.problem("has one dimension, as labels have: are the two files swapped?");
    }
    if (labels.dimensions() != 1 || labels.type() != IdxFile.UBYTE) {
      throw labels.problem("is not a file of labels: one dimension of unsigned bytes");
    }
    if (labels.records() != rows.records()) {
      throw labels.problem("does not have as many labels as " + spec.file() + " has records");
    }
    Integer features = spec.features();
    if (features != null && features != rows.columns()) {
      throw rows.problem("has " + rows.columns() + " columns instead of " + features);
    }
  }

  private int parse(IdxFile rows, IdxFile labels, float[] values) throws DataFormatException {
    for (int column = 0; column < values.length; column++) {
      values[column] = rows.element(column);
      if (!Float.isFinite(values[column])) {
        throw rows.problemHere("column " + (column + 1) + " is not a finite number");
      }
    }
    OptionalInt label = spec.classes().indexOf(Integer.toString((int) labels.element(0)));
    return label.orElseThrow(() -> labels.problemHere("is not one of the class labels"));
  }
}
