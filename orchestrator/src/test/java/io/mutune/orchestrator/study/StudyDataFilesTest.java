package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A link must not let protected rows be read as public ones. */
class StudyDataFilesTest {
  @TempDir Path folder;

  @BeforeEach
  void privateFile() throws IOException {
    Files.writeString(folder.resolve("private.csv"), "1,0\n2,1\n");
  }

  private SweepDefinition sweep(String test) {
    String text =
        """
        version: 1
        name: links
        data:
          private: {path: private.csv, format: csv, classes: 2, rows: 100, range: {first: 1, last: 1}}
          test: %s
        budget: {epsilon: 1, delta: 1.0e-5}
        search: {strategy: fixed}
        """
            .formatted(test);
    return SweepReader.read("links.yaml", text, new SweepContext(folder, folder, Map.of()));
  }

  @Test
  void aSymbolicLinkToProtectedRows_isRefused() throws IOException {
    Files.createSymbolicLink(folder.resolve("test.csv"), folder.resolve("private.csv"));
    assertThatIOException()
        .isThrownBy(() -> StudyDataFiles.check(sweep("{path: test.csv}")))
        .withMessageContaining("is the same file as");
  }

  @Test
  void aHardLinkToProtectedRows_isRefused() throws IOException {
    Files.createLink(folder.resolve("test.csv"), folder.resolve("private.csv"));
    assertThatIOException()
        .isThrownBy(() -> StudyDataFiles.check(sweep("{path: test.csv}")))
        .withMessageContaining("is the same file as");
  }

  @Test
  void aLinkToOtherRowsOfTheFile_isAllowed() throws IOException {
    Files.createSymbolicLink(folder.resolve("test.csv"), folder.resolve("private.csv"));
    assertThatCode(
            () -> StudyDataFiles.check(sweep("{path: test.csv, range: {first: 2, last: 2}}")))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherFile_isAllowed() throws IOException {
    Files.writeString(folder.resolve("test.csv"), "1,0\n");
    assertThatCode(() -> StudyDataFiles.check(sweep("{path: test.csv}")))
        .doesNotThrowAnyException();
  }
}
