package io.mutune.trainer.data;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows from NumPy arrays, such as features that were extracted elsewhere: a {@code .npy} file
 * of rows and one of labels, or a {@code .npz} with the arrays {@value #FEATURES} and {@value
 * #LABELS}. Rows have all dimensions but the first flattened.
 */
final class NpyReader implements RowReader {
  static final String FEATURES = "features";
  static final String LABELS = "labels";

  private final RowSpec spec;

  NpyReader(RowSpec spec) {
    this.spec = spec;
  }

  @Override
  public long read(RowSink sink) throws IOException {
    try (NpyFile rows = open(FEATURES, spec.file());
        NpyFile labels = openLabels()) {
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
    Integer features = spec.features();
    if (features != null && features != rows.columns()) {
      throw rows.problem("has " + rows.columns() + " columns instead of " + features);
    }
  }

  private static void checkLabels(NpyFile labels, NpyFile rows) throws DataFormatException {
    if (labels.columns() != 1) {
      throw labels.problem("is not an array of labels: one number a row");
    }
    if (labels.records() != rows.records()) {
      throw labels.problem("does not have as many labels as there are rows");
    }
  }

  private int parse(NpyFile rows, @Nullable NpyFile labels, float[] values)
      throws DataFormatException {
    for (int column = 0; column < values.length; column++) {
      values[column] = (float) rows.element(column);
      if (!Float.isFinite(values[column])) {
        throw rows.problemHere("column " + (column + 1) + " is not a finite float32 number");
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
