package io.mutune.trainer.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One file of the IDX format of MNIST: two zero bytes, the element type, the number of dimensions,
 * the dimensions as big-endian int32, then the elements, row-major. The first dimension counts the
 * records.
 */
final class IdxFile implements Closeable {
  static final int UBYTE = 0x08;
  static final int FLOAT = 0x0d;

  private final Path file;
  private final InputStream bytes;
  private final int type;
  private final int dimensions;
  private final int records;
  private final int columns;
  private final ByteBuffer record;
  private long position;

  private IdxFile(Path file, InputStream bytes) throws IOException {
    this.file = file;
    this.bytes = bytes;
    ByteBuffer magic = header(4);
    this.type = magic.get(2);
    this.dimensions = magic.get(3);
    if (magic.getShort(0) != 0 || (type != UBYTE && type != FLOAT) || dimensions < 1) {
      throw problem("does not begin like an IDX file of unsigned bytes or float32");
    }
    ByteBuffer shape = header(4 * dimensions);
    this.records = shape.getInt();
    long product = 1;
    while (shape.hasRemaining()) {
      int size = shape.getInt();
      product = size < 0 ? -1 : Math.min(product * size, Integer.MAX_VALUE);
    }
    if (records < 0 || product < 1 || product > DataSpec.MAX_FEATURES) {
      throw problem(
          "has dimensions that are not those of rows with 1 to "
              + DataSpec.MAX_FEATURES
              + " columns");
    }
    this.columns = (int) product;
    this.record = ByteBuffer.allocate(columns * (type == UBYTE ? 1 : Float.BYTES));
  }

  static IdxFile open(Path file) throws IOException {
    InputStream bytes = InputFile.open(file);
    try {
      return new IdxFile(file, bytes);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  int type() {
    return type;
  }

  int dimensions() {
    return dimensions;
  }

  int records() {
    return records;
  }

  /** How many elements a record has. */
  int columns() {
    return columns;
  }

  /** Moves to the next record, which {@link #element} then reads. */
  void next() throws IOException {
    position++;
    if (bytes.readNBytes(record.array(), 0, record.capacity()) < record.capacity()) {
      throw problem("ends before record " + position + " does");
    }
  }

  float element(int column) {
    return type == UBYTE ? record.get(column) & 0xff : record.getFloat(column * Float.BYTES);
  }

  void expectEnd() throws IOException {
    if (bytes.read() >= 0) {
      throw problem("goes on after its last record");
    }
  }

  /** A problem of the record that {@link #next} moved to. */
  DataFormatException problemHere(String text) {
    return problem("record " + position + ": " + text);
  }

  DataFormatException problem(String text) {
    return DataFormatException.in(file, text);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }

  private ByteBuffer header(int length) throws IOException {
    byte[] header = bytes.readNBytes(length);
    if (header.length < length) {
      throw problem("ends within its header");
    }
    return ByteBuffer.wrap(header);
  }
}
