package io.mutune.trainer.data;

import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.npy.NpyFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to a {@code .npy} file as they come and keeps their labels, so that memory does not
 * grow with their numbers.
 */
final class NpyRowWriter implements RowSink, Closeable {
  private static final int LEAST_BYTES = 1 << 20;

  private final FileChannel file;
  private ByteBuffer bytes = ByteBuffer.allocate(0);
  private int columns;
  private int[] labels = new int[RowBlocks.BLOCK_ROWS];
  private int rows;

  private NpyRowWriter(FileChannel file) {
    this.file = file;
  }

  /**
   * @param file that is not there yet, for its owner alone
   * @throws UncheckedIOException if it cannot be made
   */
  static NpyRowWriter to(Path file) {
    try {
      return new NpyRowWriter(OwnerOnly.createScratch(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void begin(int columns) {
    this.columns = columns;
    int rowBytes = columns * Float.BYTES;
    bytes =
        ByteBuffer.allocate(Math.max(LEAST_BYTES / rowBytes, 1) * rowBytes)
            .order(ByteOrder.LITTLE_ENDIAN);
    write(ByteBuffer.wrap(NpyFormat.header("f4", 0, columns))); // the rows are counted at the end
  }

  /**
   * @throws UncheckedIOException if the disk takes no more
   */
  @Override
  public void row(float[] values, int label, @Nullable String unit) {
    if (!bytes.hasRemaining()) {
      writeBuffered();
    }
    bytes.asFloatBuffer().put(values, 0, columns);
    bytes.position(bytes.position() + columns * Float.BYTES);
    if (rows == labels.length) {
      labels = Arrays.copyOf(labels, 2 * rows);
    }
    labels[rows++] = label;
  }

  private void writeBuffered() {
    write(bytes.flip());
    bytes.clear();
  }

  private void write(ByteBuffer all) {
    try {
      while (all.hasRemaining()) {
        file.write(all);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Completes the file.
   *
   * @throws UncheckedIOException if the disk takes no more
   * @return the labels of its rows
   */
  int[] finish() {
    writeBuffered();
    try {
      file.position(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    write(ByteBuffer.wrap(NpyFormat.header("f4", rows, columns)));
    return Arrays.copyOf(labels, rows);
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
