package io.mutune.trainer.npy;

import io.mutune.trainer.file.DataFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Named arrays in a zip file, as {@code numpy.savez} writes and {@code numpy.load} reads them. */
public final class NpzFile {
  private static final String SUFFIX = ".npy";

  /** All arrays together, unpacked: a zip can be a thousand times smaller than what it holds. */
  private static final int MOST_BYTES = 1 << 28;

  /** Of a larger file, how many times its own size: weights that noise was added to are about 1. */
  private static final long MOST_UNPACKED = 4;

  /** Of an array's header; NumPy's own are below a hundred bytes. */
  private static final int MOST_HEADER = 1 << 16;

  private static final String DAMAGED =
      "holds an array that is damaged, or not of float32 or float64";

  /**
   * The same arrays give the same bytes at any time and place. The first moment that zip can tell,
   * a month earlier, would be written a second time with the offset of the time zone.
   */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private NpzFile() {}

  public static void write(Path file, Map<String, NpyArray> arrays) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      write(out, arrays);
    }
  }

  /** Writes in the order of the map, and leaves the stream open. */
  public static void write(OutputStream out, Map<String, NpyArray> arrays) throws IOException {
    write(out, arrays, Map.of());
  }

  /**
   * The same with files that are no arrays, which {@code numpy.load} gives as bytes by their names;
   * {@link #read} takes none.
   */
  public static void write(
      OutputStream out, Map<String, NpyArray> arrays, Map<String, byte[]> files)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      put(zip, file.getKey(), file.getValue());
    }
    for (Map.Entry<String, NpyArray> array : arrays.entrySet()) {
      put(zip, array.getKey() + SUFFIX, NpyFormat.encode(array.getValue()));
    }
    zip.finish();
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  /**
   * The arrays by name, in the file's order.
   *
   * @throws DataFormatException if the file is no zip of float arrays in C order, is damaged, holds
   *     an array twice or under the name of a path, or more than 256 MiB and four times its own
   *     size
   */
  public static Map<String, NpyArray> read(Path file) throws IOException {
    return read(file, MOST_BYTES);
  }

  /** The same with another number of bytes in place of 256 MiB. */
  static Map<String, NpyArray> read(Path file, long small) throws IOException {
    long left = Math.max(small, MOST_UNPACKED * Files.size(file));
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        String name = entry.getName();
        if (!name.endsWith(SUFFIX) || name.contains("/") || name.contains("\\")) {
          throw DataFormatException.in(file, "holds something that is not an array");
        }
        byte[] npy = bytes(zip, entry, file, left);
        left -= npy.length;
        String array = name.substring(0, name.length() - SUFFIX.length());
        NpyArray decoded =
            NpyFormat.decode(npy).orElseThrow(() -> DataFormatException.in(file, DAMAGED));
        if (arrays.put(array, decoded) != null) {
          throw DataFormatException.in(file, "holds an array twice");
        }
      }
    } catch (ZipException | EOFException | IllegalArgumentException e) {
      // IllegalArgumentException: a name or comment that is not UTF-8
      throw DataFormatException.in(file, "is truncated or damaged: its zip does not unpack");
    }
    return arrays;
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry, Path file, long most)
      throws IOException {
    try (InputStream bytes = zip.getInputStream(entry)) {
      // Never by the size that the directory states, which may be any: as much as the array has.
      byte[] head = bytes.readNBytes(MOST_HEADER);
      long length = NpyFormat.length(head).orElse(head.length);
      if (length > Math.min(most, Integer.MAX_VALUE - MOST_HEADER)) {
        throw DataFormatException.in(file, "holds more than is read of a file of its size");
      }
      byte[] rest = bytes.readNBytes((int) Math.max(0, length - head.length));
      if (bytes.read() >= 0) {
        throw DataFormatException.in(file, DAMAGED);
      }
      byte[] npy = Arrays.copyOf(head, head.length + rest.length);
      System.arraycopy(rest, 0, npy, head.length, rest.length);
      CRC32 checksum = new CRC32();
      checksum.update(npy);
      if (checksum.getValue() != entry.getCrc()) {
        throw new ZipException(); // ZipFile leaves this check to its callers
      }
      return npy;
    }
  }
}
