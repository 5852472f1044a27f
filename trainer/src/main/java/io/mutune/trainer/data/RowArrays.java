package io.mutune.trainer.data;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.format.NpyFile;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpyElement;
import io.mutune.trainer.npy.NpyFormat;
import io.mutune.trainer.npy.NpyHeader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rows as arrays of NumPy in a folder for its owner alone, for a trainer that is a process of its
 * own: each row as training sees it, after every map, so that nobody but the owner's card decides
 * how a file is read. The files are as private as the rows. A row with a number that is not finite,
 * which would add nothing to a sum of ours, is a slot without a row.
 */
public final class RowArrays {
  /** In a file of labels in place of {@link RowBlocks#NO_LABEL}: such a row adds nothing. */
  private static final int NO_CLASS = -1;

  private RowArrays() {}

  /** Writes float32 features, {@code [rows, columns]}. */
  public static void writeFeatures(Path file, RowBlocks rows) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header("f4", rows.rows(), rows.columns()));
      for (RowBlocks.Block block : rows.blocks()) {
        byte[] bytes = new byte[Math.multiplyExact(block.features().length, Float.BYTES)];
        FloatBuffer into = little(bytes).asFloatBuffer();
        float[] none = new float[rows.columns()];
        for (int row = 0; row < block.rows(); row++) {
          if (isFinite(block, row, rows.columns())) {
            into.put(block.features(), row * rows.columns(), rows.columns());
          } else {
            into.put(none);
          }
        }
        out.write(bytes);
      }
    }
  }

  private static boolean isFinite(RowBlocks.Block block, int row, int columns) {
    boolean finite = true;
    for (int i = row * columns; i < (row + 1) * columns; i++) {
      finite &= Float.isFinite(block.features()[i]);
    }
    return finite;
  }

  /**
   * Writes labels, {@code [rows]}: int32 classes, −1 for a slot without a row; of real targets
   * float32 from −1 to 1, NaN for such a slot.
   */
  public static void writeLabels(Path file, RowBlocks rows) throws IOException {
    boolean real = rows.realTargets();
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header(real ? "f4" : "i4", rows.rows()));
      for (RowBlocks.Block block : rows.blocks()) {
        byte[] bytes = new byte[block.rows() * Integer.BYTES];
        ByteBuffer into = little(bytes);
        for (int row = 0; row < block.rows(); row++) {
          int label = block.labels()[row];
          boolean none = label == RowBlocks.NO_LABEL || !isFinite(block, row, rows.columns());
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

  /** Writes scores of rows, float32 {@code [rows, columns]}, row-major. */
  public static void writeScores(Path file, float[] scores, int columns) throws IOException {
    try (OutputStream out = create(file)) {
      out.write(NpyFormat.header("f4", scores.length / columns, columns));
      byte[] bytes = new byte[Math.multiplyExact(scores.length, Float.BYTES)];
      little(bytes).asFloatBuffer().put(scores);
      out.write(bytes);
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
      out.write(NpyFormat.header("i4", count));
      byte[] bytes = new byte[Math.multiplyExact(count, Integer.BYTES)];
      little(bytes).asIntBuffer().put(numbers, 0, count);
      out.write(bytes);
    }
  }

  /**
   * Reads what {@link #writeFeatures} and {@link #writeLabels} have written.
   *
   * @param labels empty for rows that are only scored: each is a slot without a row
   */
  public static RowBlocks read(Path features, Optional<Path> labels) throws IOException {
    int[] codes = labels.isPresent() ? labels(labels.get()) : new int[0];
    boolean real = labels.isPresent() && isReal(labels.get());
    List<RowBlocks.Block> blocks = new ArrayList<>();
    try (NpyFile file = NpyFile.open(features)) {
      for (int first = 0; first < file.records(); first += RowBlocks.BLOCK_ROWS) {
        int rows = Math.min(RowBlocks.BLOCK_ROWS, file.records() - first);
        float[] values = new float[rows * file.columns()];
        for (int row = 0; row < rows; row++) {
          file.next();
          for (int column = 0; column < file.columns(); column++) {
            values[row * file.columns() + column] = (float) file.element(column);
          }
        }
        int[] own = new int[rows];
        Arrays.fill(own, RowBlocks.NO_LABEL);
        if (labels.isPresent()) {
          System.arraycopy(codes, first, own, 0, rows);
        }
        blocks.add(new RowBlocks.Block(values, own));
      }
      return new RowBlocks(file.columns(), blocks, real);
    }
  }

  private static boolean isReal(Path labels) throws IOException {
    try (NpyFile file = NpyFile.open(labels)) {
      return file.header().element().kind() == 'f';
    }
  }

  private static int[] labels(Path file) throws IOException {
    boolean real = isReal(file);
    double[] values = readNumbers(file);
    int[] codes = new int[values.length];
    for (int row = 0; row < codes.length; row++) {
      boolean none = real ? Double.isNaN(values[row]) : values[row] == NO_CLASS;
      codes[row] =
          none ? RowBlocks.NO_LABEL : real ? TargetRange.code(values[row]) : (int) values[row];
    }
    return codes;
  }

  /** Reads numbers of any type, {@code [count]}. */
  public static double[] readNumbers(Path file) throws IOException {
    try (NpyFile numbers = NpyFile.open(file)) {
      double[] values = new double[numbers.records()];
      for (int i = 0; i < values.length; i++) {
        numbers.next();
        values[i] = numbers.element(0);
      }
      return values;
    }
  }

  /**
   * Reads scores of rows, float32 or float64, in C or in Fortran order.
   *
   * @return row-major
   * @throws DataFormatException if the file is not an array {@code [rows, columns]} of them
   */
  public static float[] readScores(Path file, long rows, int columns) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw DataFormatException.in(file, "is no regular file, or is not there");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      NpyHeader header =
          NpyHeader.read(in)
              .orElseThrow(
                  () ->
                      DataFormatException.in(
                          file, "does not begin like a NumPy array of plain numbers"));
      NpyElement element = header.element();
      int[] shape = header.shape();
      if (shape.length != 2
          || shape[0] != rows
          || shape[1] != columns
          || element.kind() != 'f'
          || element.bytes() < Float.BYTES
          || rows * columns > Integer.MAX_VALUE) {
        throw DataFormatException.in(
            file,
            "is an array of %s%d %s, and not of f4 or f8 [%d, %d]"
                .formatted(element.kind(), element.bytes(), Arrays.toString(shape), rows, columns));
      }
      if (Files.size(file) != header.bytes() + rows * columns * element.bytes()) {
        throw DataFormatException.in(file, "has more or fewer bytes than its header says");
      }
      float[] scores = new float[(int) (rows * columns)];
      ByteBuffer number = ByteBuffer.allocate(element.bytes()).order(element.order());
      for (int i = 0; i < scores.length; i++) {
        if (in.readNBytes(number.array(), 0, element.bytes()) < element.bytes()) {
          throw DataFormatException.in(file, "ends early");
        }
        int at = header.fortranOrder() ? (int) (i % rows * columns + i / rows) : i;
        scores[at] = (float) element.read(number, 0);
      }
      return scores;
    }
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
