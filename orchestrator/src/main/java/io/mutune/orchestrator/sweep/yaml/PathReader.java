package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.SweepContext;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads paths, with their variables set. */
final class PathReader {
  private PathReader() {}

  /** One path. */
  static Optional<Path> read(
      YamlSection section, String key, SweepContext context, Function<String, Path> resolve) {
    return section.text(key).flatMap(text -> resolved(section, key, text, context, resolve));
  }

  /** A path, or a list of them in its order. */
  static Optional<List<Path>> readAll(
      YamlSection section, String key, SweepContext context, Function<String, Path> resolve) {
    Optional<List<String>> texts =
        section.isSequence(key) ? section.texts(key) : section.text(key).map(List::of);
    if (texts.isPresent() && texts.get().isEmpty()) {
      section.broken(key, "must name a file", "an empty list");
    }
    if (texts.isPresent() && texts.get().contains("")) {
      section.broken(key, "must name a file", "an empty name");
      return Optional.empty();
    }
    List<Path> paths = new ArrayList<>();
    for (String text : texts.orElse(List.of())) {
      resolved(section, key, text, context, resolve).ifPresent(paths::add);
    }
    boolean whole = texts.isPresent() && !paths.isEmpty() && paths.size() == texts.get().size();
    return whole ? Optional.of(paths) : Optional.empty();
  }

  private static Optional<Path> resolved(
      YamlSection section,
      String key,
      String text,
      SweepContext context,
      Function<String, Path> resolve) {
    Optional<String> problem = context.variableProblem(text);
    if (problem.isPresent()) {
      section.broken(key, problem.get());
      return Optional.empty();
    }
    try {
      return Optional.of(resolve.apply(text));
    } catch (InvalidPathException e) {
      section.broken(key, "must be a path");
      return Optional.empty();
    }
  }
}
