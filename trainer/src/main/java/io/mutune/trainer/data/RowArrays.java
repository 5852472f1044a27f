package io.mutune.trainer.data;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Rows as arrays of NumPy in a folder for its owner alone, for a trainer that is a process of its
 * own: each row as training sees it, after every map, so that nobody but the owner's card decides
 * how a file is read. The files are as private as the rows.
 */
public final class RowArrays {
  /** In a file of labels in place of {@link RowBlocks#NO_LABEL}: such a row adds nothing. */
  private static final int NO_CLASS = -1;

  private RowArrays() {}

  /** Writes float32 features, {@code [rows, columns]}. */
  public static void writeFeatures(Path file, RowBlocks rows) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header('f', rows.rows(), rows.columns()));
      for (RowBlocks.Block block : rows.blocks()) {
        byte[] bytes = new byte[Math.multiplyExact(block.features().length, Float.BYTES)];
        little(bytes).asFloatBuffer().put(block.features());
        out.write(bytes);
      }
    }
  }

  /**
   * Writes labels, {@code [rows]}: int32 classes, −1 for a slot without a row; of real targets
   * float32 from −1 to 1, NaN for such a slot.
   */
  public static void writeLabels(Path file, RowBlocks rows) throws IOException {
    boolean real = rows.realTargets();
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header(real ? 'f' : 'i', rows.rows()));
      for (RowBlocks.Block block : rows.blocks()) {
        byte[] bytes = new byte[block.rows() * Integer.BYTES];
        ByteBuffer into = little(bytes);
        for (int label : block.labels()) {
          boolean none = label == RowBlocks.NO_LABEL;
          if (real) {
            into.putFloat(none ? Float.NaN : (float) TargetRange.value(label));
          } else {
            into.putInt(none ? NO_CLASS : label);
          }
        }
        out.write(bytes);
      }
    }
  }

  /** Writes float64 numbers. */
  public static void write(Path file, double[] numbers) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.encode(new NpyArray(new int[] {numbers.length}, numbers)));
    }
  }

  /** Writes int32 numbers. */
  public static void write(Path file, int[] numbers, int count) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header('i', count));
      byte[] bytes = new byte[Math.multiplyExact(count, Integer.BYTES)];
      little(bytes).asIntBuffer().put(numbers, 0, count);
      out.write(bytes);
    }
  }

  /**
   * Reads scores of rows, float32 or float64.
   *
   * @throws DataFormatException if the file is not an array {@code [rows, columns]} of them
   */
  public static float[] readScores(Path file, long rows, int columns) throws IOException {
    long most = rows * columns * Double.BYTES;
    if (!Files.isRegularFile(file) || Files.size(file) > most + (1 << 12)) {
      throw DataFormatException.in(file, "is no file of as many scores");
    }
    NpyArray array =
        NpyFormat.decode(Files.readAllBytes(file))
            .filter(read -> read.shape().length == 2)
            .filter(read -> read.shape()[0] == rows && read.shape()[1] == columns)
            .orElseThrow(() -> DataFormatException.in(file, "is no array of as many scores"));
    float[] scores = new float[array.values().length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) array.values()[i];
    }
    return scores;
  }

  /** Two arrays of one shape, stacked; empty where the bytes are not such an array of floats. */
  public static Optional<double[]> readPair(byte[] npy) {
    return NpyFormat.decode(npy)
        .filter(array -> array.shape().length > 1 && array.shape()[0] == 2)
        .map(NpyArray::values);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static OutputStream create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return new BufferedOutputStream(OwnerOnly.create(file), 1 << 16);
  }
}
