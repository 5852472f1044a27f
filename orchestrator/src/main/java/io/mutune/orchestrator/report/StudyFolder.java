package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TrialsCsv;
import io.mutune.orchestrator.figure.Figures;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.study.ReleasedModel;
import io.mutune.orchestrator.study.StudyResult;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.file.PathUtils;

/**
 * The folder that a study leaves: written beside its place under a temporary name, synced, then
 * renamed, so that it is there whole or not at all.
 */
public final class StudyFolder {
  /** The sweep, as it was given. */
  public static final String SWEEP = "sweep.yaml";

  private static final String UNFINISHED = ".partial";

  private StudyFolder() {}

  /**
   * Makes the folder's own place, so that one where nothing can be written is told before a study
   * holds a budget.
   */
  public static void prepare(Path folder) {
    Path place = folder.toAbsolutePath().resolveSibling("");
    try {
      Files.createDirectories(place);
      if (!Files.isWritable(place)) {
        throw new AccessDeniedException(place.toString());
      }
    } catch (IOException e) {
      throw new StoreException(place + ": no results can be left there: nothing can be written", e);
    }
  }

  /** Where a finished study left it, and if it is not there that it is not. */
  public static String told(StudyRecord study) {
    return study.output() + (Files.isDirectory(study.output()) ? "" : ", which is not here");
  }

  /**
   * Writes the folder; one that is there already, from an earlier start or by another process that
   * ends the study too, is left as it is.
   *
   * @return the folder
   */
  public static Path write(StudyResult result) throws IOException {
    Path folder = result.study().record().output();
    if (Files.isDirectory(folder)) {
      return folder;
    }
    String own = unfinished(folder) + UUID.randomUUID() + UNFINISHED;
    Path partial = folder.resolveSibling(own);
    try {
      fill(partial, result);
      Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      removeAfter(e, partial);
      if (Files.isDirectory(folder)) {
        return folder; // Another process was faster, and has left it whole.
      }
      throw e;
    }
    syncPath(folder.resolveSibling(".").normalize());
    deleteUnfinished(folder);
    return folder;
  }

  /** What the names of this folder's unfinished ones begin with. */
  private static String unfinished(Path folder) {
    return "." + folder.getFileName() + ".";
  }

  /** Those of starts that were killed, and of whoever comes too late, who then leaves this one. */
  private static void deleteUnfinished(Path folder) {
    File[] all =
        folder
            .toAbsolutePath()
            .resolveSibling("")
            .toFile()
            .listFiles(
                (place, name) -> name.startsWith(unfinished(folder)) && name.endsWith(UNFINISHED));
    if (all != null) {
      Stream.of(all).forEach(FileUtils::deleteQuietly);
    }
  }

  private static void fill(Path partial, StudyResult result) throws IOException {
    Files.createDirectories(partial);
    Files.writeString(partial.resolve(SWEEP), result.study().record().definition());
    ModelDocument.write(partial, result, result.model());
    for (ReleasedModel released : result.releases()) {
      Path folder = Files.createDirectory(partial.resolve(released.planned().folder()));
      ModelDocument.write(folder, result, released.model());
    }
    StudyDocuments study = StudyDocuments.of(result);
    StudyCharts charts = StudyCharts.of(study, result.study().record().output());
    for (Map.Entry<String, String> text : texts(result, study, charts).entrySet()) {
      Files.writeString(partial.resolve(text.getKey()), text.getValue());
    }
    Figures.write(charts.all(), partial.resolve("figures"));
    sync(partial);
  }

  /** Every document of a folder that is made from the result alone. */
  static Map<String, String> texts(StudyResult result, StudyDocuments study, StudyCharts charts) {
    Map<String, String> texts = new TreeMap<>();
    texts.put(PlanDocument.FILE, Json.write(study.plan()));
    texts.put(StatementDocument.FILE, Json.write(study.statement()));
    texts.put("statement.txt", study.statement().text());
    texts.put(ResultDocument.FILE, Json.write(study.result()));
    texts.put("trials.csv", TrialsCsv.of(result));
    texts.put("report.html", ReportPage.html(study, charts));
    return texts;
  }

  /** What is left for a person to see is the first failure. */
  private static void removeAfter(Exception failure, Path partial) {
    try {
      deleteTree(partial);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Every file and folder in it, and the folder itself. */
  private static void sync(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) tree::iterator) {
        syncPath(path);
      }
    }
  }

  private static void syncPath(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Whoever has written the folder deletes the same files meanwhile, and gives up at the first. */
  private static void deleteTree(Path folder) throws IOException {
    while (Files.exists(folder)) {
      try {
        PathUtils.deleteDirectory(folder);
      } catch (NoSuchFileException e) {
        // Deleted by the other: what is left of the tree is next.
      }
    }
  }
}
