package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.npy.NpyHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.apache.commons.io.input.ProxyInputStream;

/**
 * The records of one NumPy array, read one after the other from a {@code .npy} file or from a
 * {@code .npz}.
 */
public final class NpyFile extends RecordFile {
  private final NpyHeader header;

  private NpyFile(Path file, String name, InputStream bytes, NpyHeader header)
      throws DataFormatException {
    super(file, name, bytes, header.shape(), header.element().bytes(), header.element().order());
    this.header = header;
  }

  private static NpyFile of(Path file, String name, InputStream bytes) throws IOException {
    NpyHeader header =
        NpyHeader.read(bytes)
            .orElseThrow(
                () ->
                    DataFormatException.in(
                        file, name + "does not begin like a NumPy array of plain numbers"));
    if (header.fortranOrder() && header.shape().length > 1) {
      throw DataFormatException.in(
          file, name + "is in Fortran order: save numpy.ascontiguousarray of it");
    }
    if (header.shape().length < 1) {
      throw DataFormatException.in(file, name + "has no dimension");
    }
    return new NpyFile(file, name, bytes, header);
  }

  /** The array of a {@code .npy} file, gzipped or not. */
  public static NpyFile open(Path file) throws IOException {
    InputStream bytes = InputFile.open(file);
    try {
      return of(file, "", bytes);
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
  public static NpyFile open(Path file, String array) throws IOException {
    InputStream bytes = entry(file, array + ".npy");
    try {
      return of(file, "'" + array + "' ", bytes);
    } catch (ZipException | EOFException e) {
      bytes.close();
      throw broken(file);
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /** How many columns a {@code .npy} file has, which is public, and nothing of how many rows. */
  public static int columnsOf(Path file) throws IOException {
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

  public NpyHeader header() {
    return header;
  }

  @Override
  public double element(int column) {
    return header.element().read(record, column * header.element().bytes());
  }

  private static DataFormatException broken(Path file) {
    return DataFormatException.in(file, "is truncated or damaged: its zip does not unpack");
  }

  /** One member of a zip file, whose checksum is looked at when it ends. */
  private static final class Entry extends ProxyInputStream {
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
    protected void afterRead(int count) throws DataFormatException {
      if (count < 0 && ((CheckedInputStream) in).getChecksum().getValue() != checksum) {
        throw broken(file);
      }
    }

    @Override
    protected void handleIOException(IOException e) throws IOException {
      throw e instanceof ZipException || e instanceof EOFException ? broken(file) : e;
    }

    @Override
    public void close() throws IOException {
      super.close();
      zip.close();
    }
  }
}
