package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One file of the IDX format of MNIST: two zero bytes, the element type, the number of dimensions,
 * the dimensions as big-endian int32, then the elements, row-major.
 */
public final class IdxFile extends RecordFile {
  public static final int UBYTE = 0x08;
  public static final int FLOAT = 0x0d;

  private final int type;

  private IdxFile(Path file, InputStream bytes, int type, int[] shape) throws DataFormatException {
    super(file, "", bytes, shape, type == UBYTE ? 1 : Float.BYTES, ByteOrder.BIG_ENDIAN);
    this.type = type;
  }

  static IdxFile open(Path file) throws IOException {
    InputStream bytes = InputFile.open(file);
    try {
      return of(file, bytes);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  private static IdxFile of(Path file, InputStream bytes) throws IOException {
    ByteBuffer magic = header(file, bytes, 4);
    int type = magic.get(2);
    int dimensions = magic.get(3);
    if (magic.getShort(0) != 0 || (type != UBYTE && type != FLOAT) || dimensions < 1) {
      throw DataFormatException.in(
          file, "does not begin like an IDX file of unsigned bytes or float32");
    }
    int[] shape = new int[dimensions];
    header(file, bytes, Integer.BYTES * dimensions).asIntBuffer().get(shape);
    return new IdxFile(file, bytes, type, shape);
  }

  int type() {
    return type;
  }

  @Override
  double element(int column) {
    return type == UBYTE ? record.get(column) & 0xff : record.getFloat(column * Float.BYTES);
  }

  private static ByteBuffer header(Path file, InputStream bytes, int length) throws IOException {
    byte[] header = bytes.readNBytes(length);
    if (header.length < length) {
      throw DataFormatException.in(file, "ends within its header");
    }
    return ByteBuffer.wrap(header);
  }
}
