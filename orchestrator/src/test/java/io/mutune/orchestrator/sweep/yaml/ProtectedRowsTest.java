package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No row of a file is both protected and read without a charge. */
class ProtectedRowsTest {
  private static String sweep(String privateRange, String part) {
    return """
    version: 1
    name: shared-file
    data:
      private: {path: a.csv, format: csv, classes: 2, rows: 100%s}
      %s
    budget: {epsilon: 1, delta: 1.0e-5}
    search:
      strategy: scale-free
      sweeps: [{epsilon: 0.2, trials: 3}]
      score: {on: private, epsilon: 0.02}
    """
        .formatted(privateRange, part);
  }

  private static String range(long first, long last) {
    return ", range: {first: %d, last: %d}".formatted(first, last);
  }

  @ParameterizedTest
  @CsvSource({"50, 150", "100, 200", "1, 1", "90, 95", "1, 1000"})
  void publicRowsInTheRangeOfPrivateOnes_areRefusedAndBothRangesNamed(long first, long last) {
    String text = sweep(range(1, 100), "test: {path: a.csv" + range(first, last) + "}");

    assertThat(Sweeps.problems(text))
        .containsExactly(
            "5: data.test.range must name no row that data.private protects in the same file (rows"
                + " 1-100), since it would be read without a charge; was rows %d-%d"
                    .formatted(first, last));
  }

  @Test
  void rangesThatOnlyTouch_areFine() {
    assertReads(sweep(range(1, 100), "test: {path: a.csv" + range(101, 200) + "}"));
    assertReads(sweep(range(101, 200), "validation: {path: a.csv" + range(1, 100) + "}"));
  }

  /** Line 600 of a file is row 100 of it where 500 lines are passed over. */
  @ParameterizedTest
  @ValueSource(strings = {"skipLines: 5", "header: true", "delimiter: ';'", "lineBreaks: true"})
  void rangesOfAFileThatIsReadInAnotherWay_countAsOneAndTheSame(String other) {
    String part = "test: {path: a.csv" + range(101, 200) + ", " + other + "}";
    assertThat(Sweeps.problems(sweep(range(1, 100), part)))
        .anySatisfy(
            problem ->
                assertThat(problem).contains("data.test.range must name no row that data.private"));
  }

  @Test
  void noRange_meansAllRows() {
    assertThat(Sweeps.problems(sweep("", "validation: {path: a.csv" + range(101, 200) + "}")))
        .singleElement()
        .asString()
        .contains("data.validation.range", "(all rows)", "was rows 101-200");
    assertThat(Sweeps.problems(sweep(range(1, 100), "test: {path: a.csv}")))
        .singleElement()
        .asString()
        .contains("data.test.path", "(rows 1-100)", "was all rows");
  }

  @Test
  void theSameFileByAnotherWayOfWritingIt_isTheSameFile() {
    assertThat(Sweeps.problems(sweep("", "test: {path: ./b/../a.csv}"))).hasSize(1);
    assertThat(Sweeps.problems(sweep("", "test: {path: /nowhere/sweeps/a.csv}"))).hasSize(1);
    assertThat(Sweeps.problems(sweep("", "test: {path: \"${DATA}/../../sweeps/a.csv\"}")))
        .hasSize(1);
  }

  @Test
  void anotherFile_isFine() {
    assertReads(sweep("", "test: {path: b.csv}"));
  }

  @Test
  void rowsThatBothArePrivate_areCharged() {
    assertReads(sweep("", "test: {path: a.csv, private: true, rows: 100}"));
  }

  /** One guarantee is for the rows of every part: 1e-5 suits 100 rows and not 200000. */
  @Test
  void delta_isBelowOneOfTheRowsOfEveryProtectedPart() {
    String part = "test: {path: b.csv, private: true, rows: %d}";
    assertReads(sweep("", part.formatted(99_000)));
    assertThat(Sweeps.problems(sweep("", part.formatted(200_000))))
        .singleElement()
        .asString()
        .startsWith("6: budget.delta must be ");
  }

  @Test
  void privateTestRows_areProtectedFromPublicValidation() {
    String text =
        sweep(
            "",
            "test: {path: b.csv, private: true, rows: 9}\n  validation: {path: b.csv"
                + range(1, 5)
                + "}");

    assertThat(Sweeps.problems(text))
        .containsExactly(
            "6: data.validation.range must name no row that data.test protects in the same file"
                + " (all rows), since it would be read without a charge; was rows 1-5");
  }

  @Test
  void labelsAreProtectedLikeTheirRows() {
    String text =
        Sweeps.edited(
            Sweeps.FIXED, "rows: 60000}\n", "rows: 60000}\n  test: {path: c.idx, labels: b.idx}\n");

    assertThat(Sweeps.problems(text)).singleElement().asString().contains("data.test.path");
  }

  private static void assertReads(String text) {
    assertThatCode(() -> Sweeps.read(text)).doesNotThrowAnyException();
  }
}
