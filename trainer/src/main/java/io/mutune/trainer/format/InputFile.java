package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.io.input.ProxyInputStream;

/** The bytes of a file, unpacked where they are gzip. */
public final class InputFile extends ProxyInputStream {
  private static final int BUFFER = 1 << 16;

  private final Path file;

  private InputFile(Path file, InputStream gzip) {
    super(gzip);
    this.file = file;
  }

  /** Told by the content, which is a header's and no row's. */
  static InputStream open(Path file) throws IOException {
    return open(file, isGzip(file));
  }

  /**
   * Of text, whose first bytes may be a private row's, even where only public rows of it are read:
   * what they are, and whether all of it unpacks, must decide nothing, so the name alone tells.
   */
  static InputStream openText(Path file) throws IOException {
    return open(file, isNamedGzip(file));
  }

  private static InputStream open(Path file, boolean gzip) throws IOException {
    InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      return gzip ? new InputFile(file, gunzip(file, bytes)) : bytes;
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  static boolean isNamedGzip(Path file) {
    return file.toString().endsWith(".gz");
  }

  /** Whether the file begins like gzip. */
  public static boolean isGzip(Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      return bytes.read() == 0x1f && bytes.read() == 0x8b;
    }
  }

  /**
   * Looks at the file's metadata alone and reads no byte of it.
   *
   * @throws IOException if it is missing, not a regular file, or not readable
   */
  public static void checkReadable(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "there is no such file");
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a folder, not a file");
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": is not a regular file");
    }
    if (!Files.isReadable(file)) {
      throw new AccessDeniedException(file.toString(), null, "may not be read");
    }
  }

  @Override
  protected void handleIOException(IOException e) throws DataFormatException {
    throw broken(file);
  }

  private static InputStream gunzip(Path file, InputStream bytes) throws IOException {
    try {
      return new BufferedInputStream(
          GzipCompressorInputStream.builder()
              .setInputStream(bytes)
              .setDecompressConcatenated(true)
              .get(),
          BUFFER);
    } catch (IOException e) {
      throw broken(file);
    }
  }

  private static DataFormatException broken(Path file) {
    return DataFormatException.in(file, "is truncated or damaged: its gzip does not unpack");
  }
}
