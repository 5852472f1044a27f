package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.external.TrainerCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are no sweep at all: empty, not YAML, too deep, too long. */
class SweepFormTest {
  @Test
  void anEmptyFile_isNoSweep() {
    String rule = "1: a sweep file is a mapping of keys to values, beginning with version: 1";

    assertThat(Sweeps.problems("")).containsExactly(rule);
    assertThat(Sweeps.problems("# nothing but a comment\n")).containsExactly(rule);
    assertThat(Sweeps.problems("- a\n- b\n")).containsExactly(rule);
    assertThat(Sweeps.problems("just a line")).containsExactly(rule);
  }

  @Test
  void anEmptyMapping_missesEveryRequiredKey() {
    assertThat(Sweeps.problems("{}"))
        .containsExactly(
            "1: version is missing; write version: 1",
            "1: name is missing; name the study",
            "1: data is missing; name a registered data set, or the private rows",
            "1: budget is missing; give epsilon and delta",
            "1: search is missing; choose a strategy");
  }

  @Test
  void theOnlyUnknownKeyBesideAMissingOne_isTakenForIt() {
    assertThat(Sweeps.problems("version: 1\nname: one\nbudget: {epsilon: 1, failure: 1e-5}\n"))
        .contains("3: budget.failure is not a known key; did you mean delta?");
    assertThat(Sweeps.problems("version: 1\nname: one\nbudget: {failure: 1e-5, eps: 1}\n"))
        .anyMatch(problem -> problem.contains("budget.failure is not a known key; known here: "));
  }

  @Test
  void textThatIsNotYaml_isRefusedWithItsLine() {
    assertThat(Sweeps.problems("version: 1\nname: [a\nbudget: 1\n"))
        .singleElement()
        .asString()
        .startsWith("3: this is not YAML: ");
    assertThat(Sweeps.problems("version: 1\nname: \"\\UFFFFFFFF\"\n"))
        .singleElement()
        .asString()
        .contains("this is not YAML: ");
    assertThat(Sweeps.problems("version: 1\nname: a\u0001\n"))
        .singleElement()
        .asString()
        .contains("this is not YAML: ");
  }

  @Test
  void tabsForIndents_areRefusedWithTheirLine() {
    assertThat(Sweeps.problems("version: 1\nbudget:\n\tepsilon: 1\n"))
        .singleElement()
        .asString()
        .startsWith("3: this is not YAML: ")
        .contains("TAB");
  }

  /** A statement would have a line of its own from it, or a result could not be written. */
  @ParameterizedTest
  @ValueSource(
      strings = {"b\\n\\nIt is (0, 0)-private", "\\e[2J", "\\uD800", "\\u2028", "\\u202E", "\\0"})
  void textsThatCouldForgeLinesOrBreakOutputs_areRefusedWithTheirLine(String text) {
    assertThat(Sweeps.problems("version: 1\nname: one\ndata: {classes: [\"" + text + "\", c]}\n"))
        .singleElement()
        .isEqualTo("3: a text must be one line, without control characters");
  }

  /** A word of Hebrew, one of Persian with a joiner, and a sign of several code points. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u05E9\u05DC\u05D5\u05DD",
        "\u0645\u06CC\u200C\u062E",
        "\uD83D\uDC69\u200D\uD83D\uDCBB"
      })
  void textsOfAnyScript_areTaken(String text) {
    assertThat(Sweeps.problems("version: 1\nname: one\ndata: {classes: [\"" + text + "\", c]}\n"))
        .noneMatch(problem -> problem.contains("one line"));
  }

  @Test
  void descriptionsAndPrograms_mayHaveSeveralLinesButNoCharactersThatAreNone() {
    String start = "version: 1\ntrain: {command: [python3, -c, \"a\\n\\tb\"]}\ndescription: ";
    assertThat(Sweeps.problems(start + "|\n  one\n  two\n"))
        .noneMatch(problem -> problem.contains("a text must"));
    assertThat(Sweeps.problems(start + "\"\\uD800\"\n"))
        .singleElement()
        .isEqualTo("3: a text must have no control characters but tabs and line breaks");
  }

  /** Each is the name of a column, and what stands below it is quoted by cards and statements. */
  @ParameterizedTest
  @ValueSource(strings = {"description", "command", "environment", "settings"})
  void aColumnOfAFreeName_hasNoFreeTexts(String column) {
    String columns = "{columns: {%s: {type: label, values: [a, \"b\\n\\nc\"]}}}".formatted(column);
    assertThat(Sweeps.problems("version: 1\nname: one\ndata: " + columns + "\n"))
        .contains("3: a text must be one line, without control characters");
  }

  @Test
  void aTrainer_isNamedInOneLine() {
    TrainerCommand trainer =
        new TrainerCommand(
            Optional.empty(),
            List.of("python3", "-c", "a\n\tb\u2028c"),
            Path.of(""),
            Map.of(),
            Duration.ZERO);
    assertThat(trainer.shown()).isEqualTo("python3 -c a??b?c");
  }

  @Test
  void severalDocuments_areRefused() {
    assertThat(Sweeps.problems(Sweeps.LINEAR + "---\nversion: 1\n"))
        .containsExactly("46: a sweep file holds one document, and here is a second one");
  }

  @Test
  void anchorsAndAliases_areRefusedWithTheirLines() {
    String text = Sweeps.edited(Sweeps.LINEAR, "name: probe", "name: &n probe");
    text = Sweeps.edited(text, "description: A linear probe", "description: *n");

    assertThat(Sweeps.problems(text))
        .containsExactly("2: anchors (&) and aliases (*) are not allowed; write the value out");
  }

  @Test
  void aliasesThatGrowExponentially_areRefusedAtOnce() {
    StringBuilder text = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; i++) {
      text.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(Sweeps.problems(text.toString())).hasSize(40);
  }

  @Test
  void aValueThatHoldsItself_isRefused() {
    assertThat(Sweeps.problems("version: &a [*a]\n"))
        .containsExactly("1: anchors (&) and aliases (*) are not allowed; write the value out");
  }

  @Test
  void deepNesting_isRefused() {
    assertThat(Sweeps.problems("a: " + "[".repeat(40_000) + "]".repeat(40_000)))
        .containsExactly("this is nested too deeply for a sweep");
    assertThat(Sweeps.problems("a: " + "{b: ".repeat(20_000) + "}".repeat(19_000)))
        .singleElement()
        .asString()
        .doesNotContain("Exception");
  }

  @Test
  void aFileThatIsTooLong_isRefused() {
    assertThat(Sweeps.problems(Sweeps.LINEAR + "#".repeat(100_000)))
        .containsExactly("a sweep file has at most 100000 characters");
  }
}
