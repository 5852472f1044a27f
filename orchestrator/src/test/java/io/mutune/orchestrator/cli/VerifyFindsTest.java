package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in or beside a study's folder and passes as a part of it. */
class VerifyFindsTest extends VerifiedFolder {
  /** As an audit has it, and with whatever else can be looked at. */
  @ParameterizedTest
  @ValueSource(strings = {"result.json", "plan.json", "model.json", "statement.json", "card.json"})
  void aDocumentThatIsNone_isAProblem_andDoesNotHideOthers(String file) throws IOException {
    change("sweep.yaml", "name: small", "name: other");
    change(file, "\\{", "{ \"version\" : 1,");
    assertThat(problems())
        .contains("sweep.yaml is not the sweep of this study")
        .anyMatch(problem -> problem.contains(file + ": is no document of a study"))
        .noneMatch(problem -> problem.contains("is not what follows from the sweep"));
    assertThat(problems("--folder-alone"))
        .anyMatch(problem -> problem.contains(file + ": is no document of a study"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"result.json", "statement.json"})
  void aDocumentThatIsMissing_isAProblem_andDoesNotHideOthers(String file) throws IOException {
    change("sweep.yaml", "name: small", "name: other");
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    Files.delete(study.resolve(file));
    assertThat(problems())
        .hasSize(2)
        .contains("sweep.yaml is not the sweep of this study")
        .anyMatch(problem -> problem.contains(file));
    assertThat(problems("--folder-alone"))
        .containsExactly(study.resolve(file) + ": there is no such file");
  }

  /** Its folder's name is enough to find the study, and not enough for its result. */
  @Test
  void aResultOfNoStudy_isAProblem() throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    change("result.json", "\"study\" : \"[0-9a-f]+\",", "");
    assertThat(problems()).containsExactly("result.json does not say that it is of this study");
    Files.writeString(study.resolve("result.json"), "{}");
    assertThat(problems())
        .containsExactly(study.resolve("result.json") + ": is no document of a study");
  }

  @Test
  void aTextThatIsNone_isAProblem() throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    Files.write(study.resolve("trials.csv"), new byte[] {(byte) 0xff});
    assertThat(problems()).containsExactly("trials.csv cannot be read");
  }
}
