package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.nio.file.Path;

/** Reads a pair of IDX files: records of unsigned bytes or float32, and a label byte for each. */
record IdxReader(RowSpec spec) implements RowReader {
  @Override
  public long read(RowSink sink) throws IOException {
    Path labelFile = spec.labels();
    try (IdxFile rows = IdxFile.open(spec.file());
        IdxFile labels = labelFile == null ? null : IdxFile.open(labelFile)) {
      checkHeader(rows);
      if (labels != null) {
        checkLabels(labels, rows);
      }
      return RecordFile.read(rows, labels, spec, "finite number", sink);
    }
  }

  private void checkHeader(IdxFile rows) throws DataFormatException {
    if (rows.dimensions() < 2) {
      throw rows.problem(
          spec.labels() == null
              ? "has one dimension, as labels have: is it the file of the rows?"
              : "has one dimension, as labels have: are the two files swapped?");
    }
    rows.expectColumns(spec.features());
  }

  private void checkLabels(IdxFile labels, IdxFile rows) throws DataFormatException {
    if (labels.dimensions() != 1 || labels.type() != IdxFile.UBYTE) {
      throw labels.problem("is not a file of labels: one dimension of unsigned bytes");
    }
    if (labels.records() != rows.records()) {
      throw labels.problem("does not have as many labels as " + spec.file() + " has records");
    }
  }
}
