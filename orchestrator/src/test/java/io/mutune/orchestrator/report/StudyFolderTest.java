package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.StoredModel;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyFolderTest {
  @TempDir private Path runs;

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aStudy_leavesTheFilesOfTheFormatAndNothingElse() throws IOException {
    StudyResult result = Results.of(Results.sweep(), runs.resolve("new/probe-1"));

    Path folder = StudyFolder.write(result);

    assertThat(folder).isEqualTo(runs.resolve("new/probe-1"));
    assertThat(names(folder))
        .containsExactly(
            ("figures model.json model.npz plan.json report.html result.json statement.json"
                    + " statement.txt sweep.yaml trials.csv")
                .split(" "));
    assertThat(names(folder.resolve("figures")))
        .containsExactly(
            ("budget.svg calibration.svg classes.svg confusion.svg learning-curve.svg noise.svg"
                    + " precision-recall.svg radius.svg roc.svg runs.svg scores.svg trade-off.svg")
                .split(" "));
    assertThat(names(runs.resolve("new"))).containsExactly("probe-1");
    assertThat(Files.readString(folder.resolve("sweep.yaml"))).isEqualTo(Sweeps.SCALE_FREE);
    for (String document : List.of("plan", "statement", "result", "model")) {
      String json = Files.readString(folder.resolve(document + ".json"));
      assertThat(Json.read(json).get("version").asInt()).isEqualTo(1);
    }
  }

  @Test
  void aFailureAtTheLastFile_leavesNoFolder() throws IOException {
    // The page has no sentence for a posterior without a curve.
    StudyResult broken =
        Results.of(Results.sweep(), runs.resolve("probe-1"), Results.posterior(List.of()));

    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> StudyFolder.write(broken));

    assertThat(names(runs)).isEmpty();
  }

  @Test
  void aFolderThatCannotBeMade_isAnErrorOfTheDisk() throws IOException {
    Path file = Files.writeString(runs.resolve("file"), "in the way");

    assertThatThrownBy(() -> StudyFolder.write(Results.of(Results.sweep(), file.resolve("p-1"))))
        .isInstanceOf(IOException.class);
    assertThat(names(runs)).containsExactly("file");
  }

  @Test
  void whatAKilledStartLeft_isWrittenAnew() throws IOException {
    Path partial = Files.createDirectories(runs.resolve(".probe-1.partial/deep"));
    Files.writeString(partial.resolve("rest"), "of an earlier start");

    Path folder = StudyFolder.write(Results.of(Results.sweep(), runs.resolve("probe-1")));

    assertThat(names(folder)).hasSize(10).doesNotContain("deep");
    assertThat(names(runs)).containsExactly("probe-1");
  }

  @Test
  void aFileInItsPlace_isNoFolderThatIsThere() throws IOException {
    Path file = Files.createFile(runs.resolve("probe-1"));

    assertThatThrownBy(() -> StudyFolder.write(Results.of(Results.sweep(), file)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("probe-1: Not a directory");

    assertThat(runs)
        .isDirectoryContaining(file::equals)
        .isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void aSecondWrite_leavesTheFirst() throws IOException {
    Path output = runs.resolve("probe-1");
    StudyFolder.write(Results.of(Results.sweep(), output));
    String before = Files.readString(output.resolve("report.html"));

    StudyFolder.write(Results.of(Results.sweep("other", "another text"), output));

    assertThat(Files.readString(output.resolve("report.html"))).isEqualTo(before);
    assertThat(names(runs)).containsExactly("probe-1");
  }

  /** As workers do where both find that a study's last piece is done. */
  @Test
  void severalThatWriteItAtOnce_leaveOneWholeFolder() throws Exception {
    StudyResult result = Results.of(Results.sweep(), runs.resolve("probe-1"));
    ExecutorService writers = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Path>> calls = Collections.nCopies(8, () -> StudyFolder.write(result));
      for (Future<Path> written : writers.invokeAll(calls)) {
        assertThat(written.get()).isEqualTo(runs.resolve("probe-1"));
      }
    } finally {
      writers.shutdownNow();
    }

    assertThat(names(runs)).containsExactly("probe-1");
    assertThat(names(runs.resolve("probe-1"))).hasSize(10);
  }

  private static StudyDocuments another(StudyDocuments study, String key) {
    return SamplePages.changed(study, trees -> trees.result().put(key, "another"));
  }

  @Test
  void studiesOfTheSameData_seeTheFiguresOfThoseBefore() throws IOException {
    StudyResult first = Results.of(Results.sweep(), runs.resolve("probe-1"));
    StudyFolder.write(first);
    StudyDocuments second = another(StudyDocuments.of(first), "study");

    assertThat(OtherStudies.beside(runs.resolve("probe-2"), second))
        .containsExactly(
            new OtherStudies.Tested(
                Results.ID,
                "recommended",
                "scale-free",
                first.statement().epsilon().value(),
                0.8125,
                true));
    assertThat(OtherStudies.beside(runs.resolve("probe-2"), another(second, "dataSet"))).isEmpty();
  }

  @Test
  void servedCharts_sayWhyThereWereNoTrials() throws IOException {
    StudyDocuments study = SamplePages.noTrials();
    Files.writeString(runs.resolve("plan.json"), Json.write(study.plan()));
    Files.writeString(runs.resolve("statement.json"), Json.write(study.statement()));
    Files.writeString(runs.resolve("result.json"), Json.write(study.result()));

    assertThat(ServedCharts.of(runs).path("noTrials").asString())
        .contains("(the budget is <small>)");
    assertThat(ServedCharts.of(runs).path("search")).isEmpty();
  }

  @Test
  void anOlderStudy_whoseStatementNamesNoAccountant_isSeenToo() throws IOException {
    StudyResult first = Results.of(Results.sweep(), runs.resolve("probe-1"));
    StudyFolder.write(first);
    StudyDocuments second = another(StudyDocuments.of(first), "study");
    Path statement = runs.resolve("probe-1/statement.json");
    String older = Files.readString(statement).replaceFirst("\\s*\"accountant\"[^,]*,", "");
    assertThat(older).doesNotContain("accountant");
    Files.writeString(statement, older);

    assertThat(OtherStudies.beside(runs.resolve("probe-2"), second))
        .extracting(OtherStudies.Tested::id)
        .containsExactly(Results.ID);
  }

  @Test
  void foldersThatAreNoStudies_areNoOtherStudies() throws IOException {
    StudyResult first = Results.of(Results.sweep(), runs.resolve("probe-1"));
    StudyFolder.write(first);
    StudyDocuments second = another(StudyDocuments.of(first), "study");
    for (String damaged : List.of("", "[]", "{\"study\":", "null", "{\"study\": 1}")) {
      Files.writeString(runs.resolve("probe-1/statement.json"), damaged);
      Files.createDirectories(runs.resolve("other"));
      Files.writeString(runs.resolve("other/result.json"), damaged);

      assertThat(OtherStudies.beside(runs.resolve("probe-2"), second)).as(damaged).isEmpty();
    }
  }

  @Test
  void theModel_isReadBackWithItsClassesAndFeatures() throws IOException {
    StudyResult result = Results.of(Results.sweep(), runs.resolve("probe-1"));
    Path folder = StudyFolder.write(result);

    for (Path path : List.of(folder, folder.resolve("model.npz"))) {
      StoredModel stored = ModelDocument.read(path);

      assertThat(stored.labelling())
          .isEqualTo(result.study().sweep().data().training().spec().labelling());
      assertThat(stored.features()).isEqualTo(result.study().sweep().data().features());
      assertThat(stored.model().weights()).isEqualTo(result.model().weights());
      assertThat(stored.model().features()).isEqualTo(20);
      assertThat(stored.model().columns()).isEqualTo(3);
    }
    assertThat(Files.readString(folder.resolve("model.json"))).doesNotContain("\"null\"");
  }

  @Test
  void aModelWhoseDescriptionIsDamaged_isNotRead() throws IOException {
    Path folder = StudyFolder.write(Results.of(Results.sweep(), runs.resolve("probe-1")));
    Path described = folder.resolve("model.json");
    String whole = Files.readString(described);

    for (String damaged :
        List.of(
            "",
            "[]",
            "{\"classes\": 3}",
            "{\"classes\": [\"a\", \"b\"]}",
            whole.replace("\"classes\"", "\"klasses\""),
            whole.replace("\"features\" : [ ]", "\"features\" : [{\"type\": \"pca\"}]"),
            whole.substring(0, whole.length() / 2))) {
      Files.writeString(described, damaged);

      assertThatThrownBy(() -> ModelDocument.read(folder))
          .as(damaged)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("model.json");
    }
    Files.delete(described);
    assertThatThrownBy(() -> ModelDocument.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such file");
  }
}
