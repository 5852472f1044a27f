package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.image.UnfitImageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * The entries of a zip. Nothing is unpacked to a file, so their names lead nowhere. Two of one name
 * are two rows, each with its own bytes, which the zip of Java's own library would mix up.
 */
final class ZipFiles implements ImageFiles {
  private final ZipFile zip;
  private final List<ZipArchiveEntry> entries;

  private ZipFiles(ZipFile zip) {
    this.zip = zip;
    this.entries =
        Collections.list(zip.getEntries()).stream()
            .filter(entry -> !entry.isDirectory() && !ImageFiles.isHidden(entry.getName()))
            .sorted(Comparator.comparing(ZipArchiveEntry::getName))
            .toList();
  }

  static ZipFiles open(Path file) throws IOException {
    try {
      // The heads of single entries are looked at with them: one of them must not end the reading.
      return new ZipFiles(ZipFile.builder().setPath(file).setIgnoreLocalFileHeader(true).get());
    } catch (IOException | RuntimeException e) {
      throw DataFormatException.in(file, "is no zip, or is damaged");
    }
  }

  @Override
  public List<String> names() {
    return entries.stream().map(ZipArchiveEntry::getName).toList();
  }

  @Override
  public byte[] bytes(int index) throws UnfitImageException {
    ZipArchiveEntry entry = entries.get(index);
    if (entry.isUnixSymlink()) {
      throw new UnfitImageException("is a link");
    }
    // Other methods need libraries that may not be there, and some of them native code.
    boolean isKnown =
        entry.getMethod() == ZipEntry.STORED || entry.getMethod() == ZipEntry.DEFLATED;
    try (InputStream bytes = isKnown ? zip.getInputStream(entry) : null) {
      if (bytes != null) {
        return ImageFiles.read(bytes);
      }
    } catch (IOException | RuntimeException e) {
      // Said below, without what a library says of the bytes.
    }
    throw new UnfitImageException("does not unpack");
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
