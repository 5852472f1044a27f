package io.mutune.trainer.format;

import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.image.UnfitImageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The files of a folder or of a zip, each a row, in the order of their names. */
public sealed interface ImageFiles extends Closeable permits FolderFiles, ZipFiles {
  /** With {@code /} between their parts. */
  List<String> names();

  /**
   * The bytes of one of them.
   *
   * @param index of its name
   * @throws UnfitImageException if they cannot be read, or are too many
   */
  byte[] bytes(int index) throws UnfitImageException;

  /**
   * Opens what a path names.
   *
   * @throws IOException if it cannot be read as a whole
   */
  static ImageFiles open(Path path) throws IOException {
    return ImageSource.Place.of(path) == ImageSource.Place.ZIP
        ? ZipFiles.open(path)
        : FolderFiles.open(path);
  }

  /** The name of the folder that a file lies in, which is its class; empty if it lies in none. */
  static Optional<String> folder(String name) {
    int end = name.lastIndexOf('/');
    return end < 0
        ? Optional.empty()
        : Optional.of(name.substring(name.lastIndexOf('/', end - 1) + 1, end));
  }

  /** Whether a name is no row's: programs leave files beside pictures that nobody put there. */
  static boolean isHidden(String name) {
    for (String part : name.split("/", -1)) {
      if ((part.startsWith(".") && !part.equals("..")) || part.equals("__MACOSX")) {
        return true;
      }
    }
    return false;
  }

  /** All of a regular file, no link followed. */
  static byte[] read(Path file) throws UnfitImageException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UnfitImageException("is no regular file, or is not there");
    }
    try (InputStream bytes = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return read(bytes);
    } catch (IOException e) {
      throw new UnfitImageException("cannot be read");
    }
  }

  /** All that comes, as long as a picture may be. */
  static byte[] read(InputStream stream) throws IOException, UnfitImageException {
    byte[] bytes = stream.readNBytes(ImageDecoder.MAX_BYTES + 1);
    if (bytes.length > ImageDecoder.MAX_BYTES) {
      throw new UnfitImageException("has more than " + ImageDecoder.MAX_BYTES + " bytes");
    }
    return bytes;
  }
}
