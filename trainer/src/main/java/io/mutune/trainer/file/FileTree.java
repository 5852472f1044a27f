package io.mutune.trainer.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All that lies below a folder and is no folder itself, in the order of the names, links not
 * followed. A part that may not be looked at is not there: it ends nothing.
 *
 * @param name with {@code /} between its parts, relative to the folder
 * @param isFile whether it is a regular file
 */
public record FileTree(String name, Path path, boolean isFile) {
  /** In the order of their names, which is the same wherever the folder lies. */
  public static List<FileTree> of(Path folder) throws IOException {
    List<FileTree> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(new FileTree(name(folder, file), file, attributes.isRegularFile()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(Comparator.comparing(FileTree::name));
    return found;
  }

  private static String name(Path folder, Path file) {
    List<String> parts = new ArrayList<>();
    folder.relativize(file).forEach(part -> parts.add(part.toString()));
    return String.join("/", parts);
  }
}
