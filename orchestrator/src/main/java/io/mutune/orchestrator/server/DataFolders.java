package io.mutune.orchestrator.server;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

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
    check("data.private", Optional.of(sweep.training()), refused);
    check("data.public", sweep.publicRows(), refused);
    check("data.validation", sweep.validation(), refused);
    check("data.test", sweep.test(), refused);
    if (sweep.train().method().start() instanceof StartRule.FromFile start) {
      check("train.start", start.file(), this::holds, refused);
    }
    sweep.featureCache().ifPresent(cache -> check("data.cache", cache, this::holds, refused));
    sweep.perInstance().ifPresent(file -> check("output.perInstance", file, this::holds, refused));
    check("output.directory", sweep.output(), path -> isUnder(studies, path), refused);
    return refused;
  }

  private void check(String key, Optional<DataSource> source, List<HttpProblem.Line> refused) {
    for (Path file : source.map(DataSource::files).orElse(List.of())) {
      check(key, file, this::holds, refused);
    }
  }

  private static void check(
      String key, Path file, Predicate<Path> allowed, List<HttpProblem.Line> refused) {
    if (!allowed.test(file)) {
      refused.add(
          new HttpProblem.Line(0, key + ": names a file outside the folders that are open here"));
    }
  }

  /** Whether a path leads into one of the folders, whatever links it goes through. */
  boolean holds(Path path) {
    return roots.stream().anyMatch(root -> isUnder(root, path));
  }

  private static boolean isUnder(Path root, Path path) {
    return real(path).filter(found -> found.startsWith(realOrSame(root))).isPresent();
  }

  private static Path realOrSame(Path root) {
    return real(root).orElse(root);
  }

  /** Followed as far as it exists; empty where a link leads nowhere or may not be looked at. */
  private static Optional<Path> real(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    Path there = whole;
    while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (there == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(there.toRealPath().resolve(there.relativize(whole)).normalize());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A message about files without the place of these folders, or this one, on this machine. */
  String publicly(String message, Path studies) {
    String shown = message;
    for (Path folder : roots) {
      shown = shown.replace(folder + "/", "");
    }
    return shown.replace(studies + "/", "");
  }
}
