package io.mutune.trainer.data;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The records of one NumPy array, read one after the other from a {@code .npy} file or from a
 * {@code .npz}. The first dimension counts the records.
 */
final class NpyFile implements Closeable {
  private final Path file;
  private final String name;
  private final InputStream bytes;
  private final NpyHeader header;
  private final int columns;
  private final ByteBuffer record;
  private long position;

  private NpyFile(Path file, String name, InputStream bytes) throws IOException {
    this.file = file;
    this.name = name;
    this.bytes = bytes;
    this.header =
        NpyHeader.read(bytes)
            .orElseThrow(() -> problem("does not begin like a NumPy array of plain numbers"));
    if (header.fortranOrder() && header.shape().length > 1) {
      throw problem("is in Fortran order: save numpy.ascontiguousarray of it");
    }
    if (header.shape().length < 1) {
      throw problem("has no dimension");
    }
    long product = 1;
    for (int i = 1; i < header.shape().length; i++) {
      product = Math.min(product * header.shape()[i], Integer.MAX_VALUE);
    }
    if (product < 1 || product > DataSpec.MAX_FEATURES) {
      throw problem(
          "has dimensions that are not those of rows with 1 to "
              + DataSpec.MAX_FEATURES
              + " columns");
    }
    this.columns = (int) product;
    this.record =
        ByteBuffer.allocate(columns * header.element().bytes()).order(header.element().order());
  }

  /** The array of a {@code .npy} file, gzipped or not. */
  static NpyFile open(Path file) throws IOException {
    InputStream bytes = InputFile.open(file);
    try {
      return new NpyFile(file, "", bytes);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /**
   * An array of a {@code .npz} file.
   *
   * @param array its name, which the caller knows
   */
  static NpyFile open(Path file, String array) throws IOException {
    InputStream bytes = entry(file, array + ".npy");
    try {
      return new NpyFile(file, "'" + array + "' ", bytes);
    } catch (ZipException | EOFException e) {
      bytes.close();
      throw broken(file);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /** How many columns a {@code .npy} file has, which is public, and nothing of how many rows. */
  static int columnsOf(Path file) throws IOException {
    try (NpyFile npy = open(file)) {
      return npy.columns();
    }
  }

  private static InputStream entry(Path file, String name) throws IOException {
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (ZipException | IllegalArgumentException e) {
      throw broken(file);
    }
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      zip.close();
      throw DataFormatException.in(file, "has no array " + name);
    }
    return new Entry(zip, entry, file);
  }

  int dimensions() {
    return header.shape().length;
  }

  int records() {
    return header.shape()[0];
  }

  int columns() {
    return columns;
  }

  NpyHeader header() {
    return header;
  }

  /** Moves to the next record, which {@link #element} then reads. */
  void next() throws IOException {
    position++;
    if (bytes.readNBytes(record.array(), 0, record.capacity()) < record.capacity()) {
      throw problem("ends before record " + position + " does");
    }
  }

  double element(int column) {
    return header.element().read(record, column * header.element().bytes());
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
    return DataFormatException.in(file, name + text);
  }

  private static DataFormatException broken(Path file) {
    return DataFormatException.in(file, "is truncated or damaged: its zip does not unpack");
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }

  /** One member of a zip file, whose checksum is looked at when it ends. */
  private static final class Entry extends FilterInputStream {
    private final ZipFile zip;
    private final long checksum;
    private final Path file;

    Entry(ZipFile zip, ZipEntry entry, Path file) throws IOException {
      super(new CheckedInputStream(zip.getInputStream(entry), new CRC32()));
      this.zip = zip;
      this.checksum = entry.getCrc();
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count;
      try {
        count = super.read(into, offset, length);
      } catch (ZipException | EOFException e) {
        throw broken(file);
      }
      if (count < 0 && ((CheckedInputStream) in).getChecksum().getValue() != checksum) {
        throw broken(file);
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      super.close();
      zip.close();
    }
  }
}
