package io.mutune.trainer.data;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The public description of a data set: where its rows are and what form they have.
 *
 * @param labels the file of labels, for IDX and only there
 * @param csv of no meaning for other formats; its label column is one that must be there
 * @param labelling what a label may be: one of some classes, or a real target in a range
 * @param features how many columns a row has without its label, 1 to {@link #MAX_FEATURES}; checked
 *     where the file says its own, and required for LIBSVM, where the width would otherwise be
 *     learned from the rows
 * @param range null for all rows
 */
public record DataSpec(
    Path file,
    @Nullable Path labels,
    DataFormat format,
    CsvLayout csv,
    Labelling labelling,
    @Nullable Integer features,
    @Nullable RowRange range)
    implements RowSpec {
  /** A block of {@link RowBlocks#BLOCK_ROWS} rows is one array. */
  public static final int MAX_FEATURES = Integer.MAX_VALUE / RowBlocks.BLOCK_ROWS;

  public DataSpec {
    if ((labels != null) != (format == DataFormat.IDX)) {
      throw new IllegalArgumentException(
          "idx keeps labels in a file of their own, the other formats do not");
    }
    if (features == null && format == DataFormat.LIBSVM) {
      throw new IllegalArgumentException(
          "libsvm needs a public number of features: it must not be learned from the rows");
    }
    if (format == DataFormat.CSV && !csv.label().required()) {
      throw new IllegalArgumentException("labelled rows need a label column");
    }
    if (features != null) {
      checkFeatures(features);
    }
  }

  static void checkFeatures(int features) {
    if (features < 1 || features > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "features must be from 1 to " + MAX_FEATURES + "; was " + features);
    }
  }

  /**
   * Looks at the files' metadata alone and reads no byte of them.
   *
   * @throws IOException if a file is missing, a folder, or not readable
   */
  public void checkReadable() throws IOException {
    InputFile.checkReadable(file);
    if (labels != null) {
      InputFile.checkReadable(labels);
    }
  }
}
