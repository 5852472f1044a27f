package io.mutune.trainer.data;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a pair of IDX files: records of unsigned bytes or float32, and a label byte for each. */
final class IdxReader implements RowReader {
  private final RowSpec spec;

  IdxReader(RowSpec spec) {
    this.spec = spec;
  }

  @Override
  public long read(RowSink sink) throws IOException {
    Path labelFile = spec.labels();
    try (IdxFile rows = IdxFile.open(spec.file());
        IdxFile labels = labelFile == null ? null : IdxFile.open(labelFile)) {
      checkHeader(rows);
      if (labels != null) {
        checkLabels(labels, rows);
      }
      RowFeed feed = new RowFeed(spec.range(), rows.columns(), sink);
      int left = rows.records();
      for (; left > 0 && !feed.done(); left--) {
        rows.next();
        if (labels != null) {
          labels.next();
        }
        feed.next(values -> parse(rows, labels, values));
      }
      if (left == 0) {
        rows.expectEnd();
        if (labels != null) {
          labels.expectEnd();
        }
      }
      return feed.position();
    }
  }

  private void checkHeader(IdxFile rows) throws DataFormatException {
    if (rows.dimensions() < 2) {
      throw rows.problem(
          spec.labels() == null
              ? "has one dimension, as labels have: is it the file of the rows?"
              : "has one dimension, as labels have: are the two files swapped?");
    }
    Integer features = spec.features();
    if (features != null && features != rows.columns()) {
      throw rows.problem("has " + rows.columns() + " columns instead of " + features);
    }
  }

  private void checkLabels(IdxFile labels, IdxFile rows) throws DataFormatException {
    if (labels.dimensions() != 1 || labels.type() != IdxFile.UBYTE) {
      throw labels.problem("is not a file of labels: one dimension of unsigned bytes");
    }
    if (labels.records() != rows.records()) {
      throw labels.problem("does not have as many labels as " + spec.file() + " has records");
    }
  }

  private int parse(IdxFile rows, @Nullable IdxFile labels, float[] values)
      throws DataFormatException {
    for (int column = 0; column < values.length; column++) {
      values[column] = rows.element(column);
      if (!Float.isFinite(values[column])) {
        throw rows.problemHere("column " + (column + 1) + " is not a finite number");
      }
    }
    Labelling labelling = spec.labelling();
    if (labels == null || labelling == null) {
      return RowSpec.UNLABELLED;
    }
    return labelling
        .codeOf(labels.element(0))
        .orElseThrow(() -> labels.problemHere(labelling.fault().strip()));
  }
}
