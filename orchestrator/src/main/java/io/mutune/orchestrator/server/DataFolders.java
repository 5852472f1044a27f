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
 * The folders whose files a sweep that came over HTTP may name. Links are followed first, and a
 * file outside is refused in the same words whether it is there or not.
 */
public final class DataFolders {
  private final List<Path> roots;

  private DataFolders(List<Path> roots) {
    this.roots = List.copyOf(roots);
  }

  /**
   * At least one folder.
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

  /** Where a sweep's relative paths begin. */
  Path first() {
    return roots.get(0);
  }

  /**
   * What a sweep names outside of them.
   *
   * @param studies the folder with the studies, under which a sweep may want its results
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
    for (DataSource source : sweep.sources()) {
      boolean open = sweep.declared().isOpen() && source.equals(sweep.training());
      if (source.isPrivate() && !open && source.spec().csv().lineBreaks()) {
        // An open quote in one row would take others with it, unless their holder vouches for them.
        refused.add(
            new HttpProblem.Line(
                0,
                "data: lineBreaks of private rows is for their holder, who submits the sweep by command"));
      }
    }
    return refused;
  }

  /** Whether a path leads into one of the folders, whatever links it goes through. */
  boolean holds(Path path) {
    return roots.stream().anyMatch(root -> isUnder(root, path));
  }

  private static boolean isUnder(Path root, Path path) {
    return RealPath.of(path).filter(found -> found.startsWith(realOrSame(root))).isPresent();
  }

  private static Path realOrSame(Path root) {
    return RealPath.of(root).orElse(root);
  }

  /** A message about files without the place of these folders, or this one, on this machine. */
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
