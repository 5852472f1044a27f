package io.mutune.orchestrator.server;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.RealPath;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The folders whose files a sweep sent over HTTP may name. Links are followed first. A file outside
 * is refused with the same message whether it exists or not.
 */
public final class DataFolders {
  private final List<Path> roots;

  private DataFolders(List<Path> roots) {
    this.roots = List.copyOf(roots);
  }

  /**
   * Makes a set of at least one folder.
   *
   * @throws IOException if one of them is no folder
   */
  public static DataFolders of(List<Path> folders) throws IOException {
    if (folders.isEmpty()) {
      throw new IllegalArgumentException("name at least one folder");
    }
    List<Path> roots = new ArrayList<>();
    for (Path folder : folders) {
      Path root = folder.toRealPath();
      if (!Files.isDirectory(root)) {
        throw new NotDirectoryException(folder.toString());
      }
      roots.add(root);
    }
    return new DataFolders(roots);
  }

  /** Returns the folder to which a sweep's relative paths are relative. */
  Path first() {
    return roots.get(0);
  }

  /**
   * Returns an error for each file that a sweep names outside of the folders.
   *
   * @param studies the folder under which results may be written
   */
  List<HttpProblem.Line> refused(SweepDefinition sweep, Path studies) {
    List<HttpProblem.Line> refused = new ArrayList<>();
    for (NamedFile file : sweep.files()) {
      boolean allowed =
          file.use() == NamedFile.Use.RELEASED ? isUnder(studies, file.path()) : holds(file.path());
      if (!allowed) {
        refused.add(
            new HttpProblem.Line(
                0, file.key() + ": names a file outside the folders that are open here"));
      }
    }
    for (DataSource source : sweep.data().sources()) {
      boolean open = sweep.data().declared().isOpen() && source.equals(sweep.data().training());
      if (source.isPrivate() && !open && source.spec().csv().lineBreaks()) {
        // An open quote in one row would join it with others; only the files' holder may rule that
        // out.
        refused.add(
            new HttpProblem.Line(
                0,
                "data: lineBreaks of private rows is for their holder, who submits the sweep by command"));
      }
    }
    return refused;
  }

  /** Returns whether a path without links is in one of the folders. */
  boolean holds(Path path) {
    return roots.stream().anyMatch(root -> isUnder(root, path));
  }

  private static boolean isUnder(Path root, Path path) {
    return RealPath.of(path).filter(found -> found.startsWith(realOrSame(root))).isPresent();
  }

  private static Path realOrSame(Path root) {
    return RealPath.of(root).orElse(root);
  }

  /**
   * Returns a message without the location of these folders, or of the studies, on this machine.
   */
  String publicly(String message, Path studies) {
    String shown = message;
    for (Path folder : roots) {
      shown = without(folder, shown);
    }
    return without(studies, shown);
  }

  private static String without(Path folder, String message) {
    return message
        .replace(folder + "/", "")
        .replaceAll(Pattern.quote(folder.toString()) + "(?![\\w.-])", ".");
  }
}
