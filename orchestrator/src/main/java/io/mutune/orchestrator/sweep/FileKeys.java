package io.mutune.orchestrator.sweep;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/**
 * Device and inode of files, the same for every hard link, where the file system has such keys.
 * What does not exist, or may not be looked at, has none.
 */
public final class FileKeys {
  private FileKeys() {}

  /** Of the file that a path leads to. */
  public static Set<Object> of(Path path) {
    Set<Object> keys = new HashSet<>();
    try {
      add(keys, Files.readAttributes(path, BasicFileAttributes.class));
    } catch (IOException e) {
      // None.
    }
    return keys;
  }

  /** The same, and of a folder those of everything below it, no link followed. */
  public static Set<Object> all(Path path) {
    Set<Object> keys = of(path);
    if (Files.isDirectory(path)) {
      try {
        Files.walkFileTree(path, new Collector(keys));
      } catch (IOException e) {
        // Those that were found.
      }
    }
    return keys;
  }

  private static void add(Set<Object> keys, BasicFileAttributes attributes) {
    Object key = attributes.fileKey();
    if (key != null) {
      keys.add(key);
    }
  }

  private static final class Collector extends SimpleFileVisitor<Path> {
    private final Set<Object> keys;

    Collector(Set<Object> keys) {
      this.keys = keys;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      add(keys, attributes);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      add(keys, attributes);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
