package io.mutune.orchestrator.report;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

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
    String dataSet = study.result().path("dataSet").asString("");
    List<Tested> others = new ArrayList<>();
    if (dataSet.isEmpty() || folder == null || !Files.isDirectory(folder)) {
      return others;
    }
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(folder, Files::isDirectory)) {
      for (Path sibling : siblings) {
        read(sibling)
            .filter(other -> other.result().path("dataSet").asString("").equals(dataSet))
            .filter(other -> !other.result().path("study").equals(study.result().path("study")))
            .flatMap(OtherStudies::tested)
            .ifPresent(others::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    others.sort(Comparator.comparing(Tested::epsilon).thenComparing(Tested::id));
    return others.size() > MOST ? others.subList(0, MOST) : others;
  }

  static Optional<Tested> tested(StudyDocuments study) {
    String key = study.result().has("testAccuracy") ? "testAccuracy" : "testError";
    boolean whole =
        study.result().path(key).isNumber() && study.statement().path("epsilon").isNumber();
    return whole
        ? Optional.of(
            new Tested(
                study.result().path("study").asString(""),
                study.result().path("name").asString(""),
                study.result().path("strategy").asString(""),
                study.statement().path("epsilon").asDouble(),
                study.result().path(key).asDouble(),
                study.holds()))
        : Optional.empty();
  }

  /** A folder with its documents; one that a start has not yet finished has a dot before it. */
  private static Optional<StudyDocuments> read(Path folder) {
    Path result = folder.resolve("result.json");
    if (folder.getFileName().toString().startsWith(".") || !Files.isRegularFile(result)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new StudyDocuments(
              "",
              Json.object(),
              document(folder, "statement.json"),
              document(folder, "result.json")));
    } catch (IOException | JacksonException e) {
      return Optional.empty();
    }
  }

  private static ObjectNode document(Path folder, String name) throws IOException {
    ObjectNode document = Json.read(Files.readString(folder.resolve(name)));
    if (document == null) {
      throw new IOException(name + " is no document");
    }
    return document;
  }
}
