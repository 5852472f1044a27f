package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows from NumPy arrays, such as features that were extracted elsewhere: a {@code .npy} file
 * of rows and one of labels, or a {@code .npz} with the arrays {@value #FEATURES} and {@value
 * #LABELS}. Rows have all dimensions but the first flattened.
 */
record NpyReader(RowSpec spec) implements RowReader {
  static final String FEATURES = "features";
  static final String LABELS = "labels";

  @Override
  public long read(RowSink sink) throws IOException {
    try (NpyFile rows = open(FEATURES, spec.file());
        NpyFile labels = openLabels()) {
      checkHeader(rows);
      if (labels != null) {
        checkLabels(labels, rows);
      }
      return RecordFile.read(rows, labels, spec, "finite float32 number", sink);
    }
  }

  private @Nullable NpyFile openLabels() throws IOException {
    Path file = spec.format() == DataFormat.NPZ ? spec.file() : spec.labels();
    return file == null || spec.labelling() == null ? null : open(LABELS, file);
  }

  private NpyFile open(String array, Path file) throws IOException {
    return spec.format() == DataFormat.NPZ ? NpyFile.open(file, array) : NpyFile.open(file);
  }

  private void checkHeader(NpyFile rows) throws DataFormatException {
    if (rows.dimensions() < 2) {
      throw rows.problem("has one dimension, as labels have: rows have two or more");
    }
    rows.expectColumns(spec.features());
  }

  private static void checkLabels(NpyFile labels, NpyFile rows) throws DataFormatException {
    if (labels.columns() != 1) {
      throw labels.problem("is not an array of labels: one number a row");
    }
    if (labels.records() != rows.records()) {
      throw labels.problem("does not have as many labels as there are rows");
    }
  }
}
