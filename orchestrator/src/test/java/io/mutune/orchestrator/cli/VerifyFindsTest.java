package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in or beside a study's folder and passes as a part of it. */
class VerifyFindsTest extends VerifiedFolder {
  private void copyModel(String place) throws IOException {
    Path other = Files.createDirectories(study.resolve(place));
    for (String file : List.of("model.npz", "model.json")) {
      Files.copy(study.resolve(file), other.resolve(file));
    }
  }

  private String said(String... more) {
    return CommandRun.of(
            Stream.concat(Stream.of("verify", study.toString()), Stream.of(more))
                .toArray(String[]::new))
        .out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"best.npz", "prod", "prod/model.npz", "release-1", "release-1/model.npz"})
  void aModelThatIsNoneOfTheStudys_isNotTakenForOne(String named) throws IOException {
    Files.copy(study.resolve("model.npz"), study.resolve("best.npz"));
    copyModel("prod");
    copyModel("release-1");
    String problem = named + " is no model or document of this study: it was compared with nothing";
    assertThat(problems(study.resolve(named))).contains(problem);
    assertThat(problems(study.resolve(named), "--folder-alone")).contains(problem);
  }

  @Test
  void weightsBesideAModelThatIsAFile_areNotTheModel() throws IOException {
    Files.write(study.resolve("model.bin"), new byte[] {1});
    assertThat(problems(study.resolve("model.npz")))
        .contains("model.npz is no model or document of this study: it was compared with nothing");
  }

  @Test
  void aModelThatTheStudyDoesNotHave_isFound_andInNoCard() throws IOException {
    copyModel("release-1");
    String problem = "release-1 is the folder of a model that this study does not have";
    assertThat(problems()).containsExactly(problem);
    assertThat(problems("--folder-alone")).containsExactly(problem);
    for (String card : List.of("card.json", "card.md")) {
      Files.delete(study.resolve(card));
    }
    CommandRun.of("card", study.toString()).succeeded();
    assertThat(Files.readString(study.resolve("card.json"))).doesNotContain("release-1");
    change(
        "result.json",
        "\"trials\" :",
        "\"releases\" : [{\"folder\" : \"release-1\"}], \"trials\" :");
    assertThat(problems()).contains(problem);
  }

  /** Whoever sends a folder decides what is in it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          model.json | '"classes" : \\[' | '"classes" : [null, '
          model.json | '"features" : \\[' | '"features" : [null, '
          card.json | '"epsilon" : [0-9.]+' | '"epsilon" : "zz"'
          card.json | '"epsilon" : [0-9.]+' | '"epsilon" : -7'
          statement.json | '"epsilons" : \\[' | '"epsilons" : [null, '
          statement.json | '"misses" : \\[' | '"misses" : [null, '
          statement.json | '"charges" : \\[' | '"charges" : [null, '
          """)
  void aDocumentWithWhatNoneHas_isNotOneThatAgrees(String file, String from, String to)
      throws IOException {
    change(file, from, to);
    for (String[] more : new String[][] {{}, {"--folder-alone"}}) {
      CommandRun run =
          CommandRun.of(
              Stream.concat(Stream.of("verify", study.toString()), Stream.of(more))
                  .toArray(String[]::new));
      assertThat(run.status()).as(run.toString()).isEqualTo(ExitCode.AUDIT_DISAGREES);
      assertThat(run.out()).contains("PROBLEM: ", "NOT EVERYTHING AGREES.");
    }
  }

  /** What the records of a statement ignore, a person would read. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '\\{' | '{ "certified" : "by all",' | certified
          '"profile" : \\{' | '"profile" : { "pure" : true,' | profile
          '"epsilons" : \\[ \\{' | '"epsilons" : [ { "best" : 0.01,' | profile
          '"tradeOff" : \\{' | '"tradeOff" : { "best" : 0.01,' | profile
          '"ledger" : \\{' | '"ledger" : { "signed" : true,' | ledger
          """)
  void aClaimThatNoStatementHas_isFound(String from, String to, String key) throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    change("statement.json", from, to);
    String problem = "the statement's '" + key + "' says what no statement does";
    assertThat(problems()).contains(problem);
    assertThat(problems("--folder-alone")).containsExactly(problem);
  }

  @Test
  void aStudysDocuments_mayBeNamed() {
    for (String named : List.of("model.npz", "model.json", "card.json", "report.html")) {
      assertThat(problems(study.resolve(named))).isEmpty();
    }
  }

  /** With no card beside them there are no digests. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`(?m)^(1,1,1,[^,]+),[^,]+`, `$1,0.5`, `trials.csv, line 2: 'mu' differs`",
        "`(?m)^(1,1,1,[^,]+),[^,]+`, `$1,`, `trials.csv, line 2: 'mu' differs`",
        "`(?m)^(1,2,.*,holds),`, `$1,9`, `trials.csv, line 3: 'clipNorm' differs`",
        "`(?m)^(1,2,.*)$`, `$1,epsilon 0.01`, `trials.csv, line 3, has more or fewer cells than columns`",
        "`(?m)^1(,3,)`, `2$1`, `trials.csv, line 4: 'version' differs`",
      })
  void aCellOfATrial_thatNoDocumentHas_isFound(String from, String to, String problem)
      throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    change("trials.csv", from, to);
    assertThat(problems()).containsExactly(problem);
    assertThat(problems("--folder-alone")).containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`(?s)(\"final\" : .*?\"sigma\" : )[0-9.]+`, `$10.5`, `the final run's 'sigma'`",
        "`(?s)(\"final\" : .*?\"radius\" : )[0-9.]+`, `$10.5`, `the final run's 'radius'`",
        "`(?s)(\"final\" : .*?\"logitNoise\" : )[0-9.]+`, `$10.5`, `the final run's 'logitNoise'`",
        "`(?s)(\"final\" : .*?)\"sigma\" : [0-9.]+,`, `$1`, `the final run's 'sigma'`",
        "`(\"dataSet\" : \")[0-9a-f]+`, `$10`, `result.json's 'dataSet'`",
      })
  void aFigureOfTheResult_thatFollowsFromTheSweep_isFound(String from, String to, String what)
      throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    change("result.json", from, to);
    assertThat(problems()).containsExactly(what + " is not what follows from the sweep");
  }

  /** Every version has left each of them. */
  @Test
  void aDocumentThatIsMissing_isFound_andNotSaidToBeChecked() throws IOException {
    List<String> missing = List.of("plan.json", "statement.txt", "trials.csv");
    for (String file : List.of("card.json", "card.md", "sweep.yaml", "plan.json")) {
      Files.delete(study.resolve(file));
    }
    assertThat(problems()).containsExactlyInAnyOrderElementsOf(none(missing.subList(0, 1)));
    assertThat(said())
        .contains("not proved: what trials.csv says of mu")
        .contains("not proved: what sweep.yaml says: it is not here")
        .contains("checked:    test figure and scores against the store")
        .contains("checked:    model.json, name, strategy")
        .doesNotContain("checked:    sweep.yaml", "checked:    plan.json");
    for (String file : missing.subList(1, 3)) {
      Files.delete(study.resolve(file));
    }
    assertThat(problems()).containsExactlyInAnyOrderElementsOf(none(missing));
    assertThat(problems("--folder-alone")).containsExactlyInAnyOrderElementsOf(none(missing));
    Files.delete(study.resolve("statement.json"));
    assertThat(said()).doesNotContain("checked:    the statement", "checked:    the models");
    assertThat(said("--folder-alone")).doesNotContain("checked:    the statement");
  }

  private List<String> none(List<String> files) {
    return files.stream().map(file -> study.resolve(file) + ": there is no such file").toList();
  }

  /** What no digest in the ledger is of. */
  @Test
  void whatAModelsFileHoldsBesideItsWeights_isNotTakenForProved() throws IOException {
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    Path npz = study.resolve("model.npz");
    assertThat(said()).doesNotContain("beside its weights");
    NpyArray weights = Objects.requireNonNull(NpzFile.read(npz).get("weights"));
    byte[] written = Files.readAllBytes(npz);
    Files.write(npz, "more".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    assertThat(problems()).isEmpty();
    assertThat(said())
        .contains("not proved: what model.npz holds beside its weights: its bytes are others");
    NpzFile.write(npz, Map.of("weights", weights));
    assertThat(Files.readAllBytes(npz)).isEqualTo(written);
    NpzFile.write(npz, Map.of("weights", weights, "bias", weights));
    assertThat(problems()).containsExactly("model.npz holds another array than 'weights'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "To plan wards.\n\n## Guarantee\n\n- Epsilon: 0.01",
        "# Guarantee",
        "To plan wards.\n\nGuarantee\n---------\n\n- Epsilon: 0.01",
        "Guarantee\n=",
        "<H2>Guarantee</H2>"
      })
  void anIntendedUse_hasNoHeadings(String use) throws IOException {
    change("card.md", "To be written by whoever passes the model on.", use);
    assertThat(problems())
        .containsExactly(
            "card.md has a heading inside its intended use, which ends that section early");
  }

  @Test
  void anIntendedUse_isThatOfTheCardThatIsSigned_whereThisHasOne() throws IOException {
    String written =
        "To plan wards,\n\n- of hospitals #1 to #3\n- not - of course - of others.\n\n---";
    change("card.md", "To be written by whoever passes the model on.", written);
    assertThat(problems()).isEmpty();
    change("card.json", "\"intendedUse\" : \"\"", "\"intendedUse\" : \"For all.\"");
    assertThat(problems()).containsExactly("card.md has another intended use than card.json");
    change("card.json", "For all.", written.replace("\n", " "));
    assertThat(problems()).isEmpty();
    assertThat(said()).doesNotContain("but for the intended use");
  }

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
