package io.mutune.trainer.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The bytes by which what a path names is known again: those of a file, or of a folder the name,
 * the length and the bytes of each file below it in the order of the names, so that no two folders
 * look alike. Of what cannot be opened it is the name alone.
 */
public final class FileContent {
  private FileContent() {}

  /** By which two of them are told apart. */
  public static String sha256(Path path) throws IOException {
    try (InputStream bytes = open(path)) {
      return DigestUtils.sha256Hex(bytes);
    }
  }

  public static InputStream open(Path path) throws IOException {
    return Files.isDirectory(path)
        ? new SequenceInputStream(inTurn(FileTree.of(path)))
        : Files.newInputStream(path);
  }

  /** A head and the bytes of each file, none open before it is asked for. */
  @SuppressWarnings("JdkObsolete") // a SequenceInputStream takes no other
  private static Enumeration<InputStream> inTurn(List<FileTree> files) {
    Iterator<Supplier<InputStream>> parts =
        files.stream()
            .flatMap(file -> Stream.<Supplier<InputStream>>of(() -> head(file), () -> bytes(file)))
            .iterator();
    return new Enumeration<>() {
      @Override
      public boolean hasMoreElements() {
        return parts.hasNext();
      }

      @Override
      public InputStream nextElement() {
        return parts.next().get();
      }
    };
  }

  private static InputStream head(FileTree file) {
    String length = "-";
    try {
      length = file.isFile() ? Long.toString(Files.size(file.path())) : "-";
    } catch (IOException e) {
      // As one that cannot be opened.
    }
    String head = file.name() + "\0" + length + "\n";
    return new ByteArrayInputStream(head.getBytes(StandardCharsets.UTF_8));
  }

  private static InputStream bytes(FileTree file) {
    try {
      return file.isFile()
          ? Files.newInputStream(file.path(), LinkOption.NOFOLLOW_LINKS)
          : InputStream.nullInputStream();
    } catch (IOException e) {
      return InputStream.nullInputStream();
    }
  }
}
