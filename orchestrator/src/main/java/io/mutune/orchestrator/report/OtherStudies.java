package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;

/**
 * Finished studies of the same data set, from the documents in the folders beside a study's own:
 * released figures, each with the guarantee that was stated for it.
 */
final class OtherStudies {
  /** A folder of experiments may hold thousands; the page shows what it can. */
  private static final int MOST = 200;

  /**
   * One study with a test figure.
   *
   * @param figure accuracy, or the mean absolute error
   */
  record Tested(
      String id, String name, String strategy, double epsilon, double figure, boolean holds) {}

  private OtherStudies() {}

  /** The studies beside this folder, this one not among them; what cannot be read is left out. */
  static List<Tested> beside(Path output, StudyDocuments study) {
    Path folder = output.toAbsolutePath().getParent();
    List<Tested> others = new ArrayList<>();
    if (folder == null || !Files.isDirectory(folder)) {
      return others;
    }
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path sibling : siblings) {
        read(sibling, study.result()).ifPresent(others::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    others.sort(Comparator.comparing(Tested::epsilon).thenComparing(Tested::id));
    return others.size() > MOST ? others.subList(0, MOST) : others;
  }

  static Optional<Tested> tested(ResultDocument result, StatementDocument statement) {
    OptionalDouble figure =
        result.testAccuracy().isPresent() ? result.testAccuracy() : result.testError();
    return figure.isPresent()
        ? Optional.of(
            new Tested(
                result.study(),
                result.name(),
                result.strategy(),
                statement.epsilon(),
                figure.getAsDouble(),
                statement.holds()))
        : Optional.empty();
  }

  /** Of a folder with its documents; one that is still being written has a dot before it. */
  private static Optional<Tested> read(Path folder, ResultDocument own) {
    Path file = folder.resolve(ResultDocument.FILE);
    if (folder.getFileName().toString().startsWith(".") || !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      ResultDocument result = Json.read(Files.readString(file), ResultDocument.class);
      if (!result.dataSet().equals(own.dataSet()) || result.study().equals(own.study())) {
        return Optional.empty();
      }
      return tested(result, StatementDocument.in(folder));
    } catch (IOException | JacksonException e) {
      return Optional.empty();
    }
  }
}
