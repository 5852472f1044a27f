package io.mutune.trainer.format;

import static io.mutune.trainer.data.SmallData.csv;
import static io.mutune.trainer.data.SmallData.rows;
import static io.mutune.trainer.data.SmallData.withFeatures;
import static io.mutune.trainer.data.SmallData.withRange;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvReaderTest {
  @TempDir Path folder;

  private Path file(String text) {
    return SmallData.write(folder, "rows.csv", text);
  }

  private DataSpec headed(String text, LabelColumn label) {
    return csv(file(text), new CsvLayout(',', true, label));
  }

  private void assertProblem(String text, int line, String problem) {
    assertProblem(csv(file(text)), line, problem);
  }

  private static void assertProblem(DataSpec spec, int line, String problem) {
    DataFormatException thrown = catchThrowableOfType(DataFormatException.class, () -> rows(spec));
    assertThat(thrown).hasMessage(spec.file() + ":" + line + ": " + problem).hasNoCause();
    assertThat(thrown.file()).isEqualTo(spec.file());
  }

  @Test
  void rows_areReadInOrder() throws IOException {
    assertThat(rows(csv(file("1,-2.5,0\n3e2,+.5,2\n"))))
        .containsExactly("[1.0, -2.5] -> 0", "[300.0, 0.5] -> 2");
  }

  @Test
  void lastLine_mayLackItsEnd_andLinesMayEndInCrlf() throws IOException {
    assertThat(rows(csv(file("1,0\r\n2,1")))).containsExactly("[1.0] -> 0", "[2.0] -> 1");
  }

  @Test
  void blanksQuotesAndBlankLines_doNotMatter() throws IOException {
    assertThat(rows(csv(file("\n 1 ,\" 0\"\n\n\"2\", 1\n"))))
        .containsExactly("[1.0] -> 0", "[2.0] -> 1");
  }

  @Test
  void byteOrderMark_isNoPartOfTheFirstField() throws IOException {
    assertThat(rows(csv(file("\uFEFF1,0\n")))).containsExactly("[1.0] -> 0");
    assertThat(rows(csv(file("2,1\n\uFEFF1,0\n"))))
        .as("wherever its row stands")
        .containsExactly("[2.0] -> 1", "[1.0] -> 0");
  }

  @Test
  void delimiter_isThatOfTheLayout() throws IOException {
    CsvLayout layout = new CsvLayout(';', false, new LabelColumn.Last());
    assertThat(rows(csv(file("1;2;0\n"), layout))).containsExactly("[1.0, 2.0] -> 0");
  }

  @Test
  void labelColumn_isFoundWhereverItIs() throws IOException {
    for (LabelColumn label :
        new LabelColumn[] {new LabelColumn.Named("b"), new LabelColumn.Index(1)}) {
      assertThat(rows(headed("a,b ,c\n7,1,9\n", label))).containsExactly("[7.0, 9.0] -> 1");
    }
    assertThat(rows(headed("a,b,c\n1,7,9\n", new LabelColumn.First())))
        .containsExactly("[7.0, 9.0] -> 1");
  }

  @Test
  void labelColumnThatIsNotThere_isNamed() {
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> rows(headed("a,b\n1,1\n", new LabelColumn.Named("income"))))
        .withMessage(folder.resolve("rows.csv") + ": has no label column 'income'");
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> rows(headed("a,b\n1,1\n", new LabelColumn.Index(2))))
        .withMessage(folder.resolve("rows.csv") + ": has no label column '2'");
    // The other one would be a feature that tells the label.
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> rows(headed("b,a,b\n1,1,1\n", new LabelColumn.Named("b"))))
        .withMessage(folder.resolve("rows.csv") + ": has several columns of the label's name, 'b'");
  }

  /** Whether there is a row must not tell. */
  @ParameterizedTest
  @ValueSource(strings = {"", "1,1\n", "x\n"})
  void labelColumnBeyondTheStatedOnes_isNamedWhateverTheRows(String rows) throws IOException {
    DataSpec spec =
        withFeatures(csv(file(rows), new CsvLayout(',', false, new LabelColumn.Index(2))), 1);
    assertThatExceptionOfType(DataFormatException.class)
        .isThrownBy(() -> rows(spec))
        .withMessage(spec.file() + ": has no label column '2'");
  }

  @Test
  void raggedRow_isRefused() {
    assertProblem("1,2,0\n1,2,3,0\n", 2, "has 4 columns instead of 3");
    assertProblem("1,2,0\n\n1,0\n", 3, "has 2 columns instead of 3");
  }

  @Test
  void emptyField_isRefused() {
    assertProblem("1,2,0\n1, ,0\n", 2, "column 2 is empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"NaN", "Infinity", "-inf", "1e39", "abc", "0x1p3", "1f", "1d", "--1", "1 2"})
  void whatIsNoFiniteFloat32_isRefused(String text) {
    assertProblem("1,2,0\n1," + text + ",0\n", 2, "column 2 is not a finite number");
  }

  @Test
  void labelOfNoClass_isRefused() {
    assertProblem("1,2,3\n", 1, "column 3 is not one of the class labels");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"2,0\n3,1\n", "\"2\"x,0\n"})
  void brokenQuotes_areRefused(String text) {
    assertThatThrownBy(() -> rows(csv(file("1,0\n" + text))))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("rows.csv:2: the line cannot be split")
        .hasNoCause();
  }

  private DataSpec broken(String text, boolean lineBreaks) {
    DataSpec spec = SmallData.csv(file(text));
    return new DataSpec(
        spec.file(),
        null,
        DataFormat.CSV,
        new CsvLayout(',', false, new LabelColumn.Last(), lineBreaks, 0),
        new ClassLabels(List.of("a\nb", "c \"\n\" d")),
        1,
        null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1,\"a\nb\"\n2,\"c \"\"\n\"\" d\"\n", "\"1\",\"a\nb\"\r\n2,\"c \"\"\n\"\" d\""})
  void lineBreaksInQuotes_arePartOfAField_whereTheLayoutSaysSo(String text) throws IOException {
    assertThat(rows(broken(text, true))).containsExactly("[1.0] -> 0", "[2.0] -> 1");
    assertThatThrownBy(() -> rows(broken(text, false)))
        .hasMessageContaining("rows.csv:1: the line cannot be split");
  }

  @Test
  void theNumberOfALine_countsBreaksWithinFields() {
    assertProblem(
        broken("1,\"a\nb\"\n1,\"a\r\nb\"\nx,\"a\nb\"\n", true),
        3,
        "column 2 is not one of the class labels");
    assertProblem(
        broken("1,\"a\nb\"\nx,\"a\n\n\nb\"\n", true), 3, "column 1 is not a finite number");
    assertProblem(
        broken("1,\"a\nb\"\n1,\"a\nb\"\n\nx,\"a\nb\"\n", true),
        6,
        "column 1 is not a finite number");
  }

  /** To every reader of protected rows, that is one row that does not fit. */
  @Test
  void aQuoteThatStaysOpen_isOneRowUpToTheEndOfTheFile() throws IOException {
    List<String> problems = new ArrayList<>();
    DataSpec spec = broken("1,\"a\nb\"\n2,\"a\n3,c\n4,c\n", true);
    List<Integer> labels = new ArrayList<>();
    RowReader.of(spec)
        .read(
            new RowSink() {
              @Override
              public void begin(int columns) {}

              @Override
              public void row(float[] values, int label, @Nullable String unit) {
                labels.add(label);
              }

              @Override
              public void malformed(DataFormatException problem) {
                problems.add(problem.getMessage());
              }
            });
    assertThat(labels).containsExactly(0);
    assertThat(problems).singleElement().asString().startsWith(spec.file() + ":3: ");
  }

  @Test
  void aQuoteWithinAField_opensNothing() throws IOException {
    assertProblem(
        broken("1,c\"\n1,\"a\nb\"\n", true), 1, "column 2 is not one of the class labels");
  }

  @Test
  void aRowTooLong_endsWhereItsQuotesDo() throws IOException {
    try (LineReader lines =
        new LineReader(new StringReader("1,\"aaaaaa\n2,c\n\"\n3,c\n"), 6, new QuoteState(','))) {
      assertThat(lines.advance()).isTrue();
      assertThat(lines.text()).isEqualTo("1,\"aaa");
      assertThat(lines.tooLong()).isTrue();
      assertThat(lines.advance()).isTrue();
      assertThat(lines.text()).isEqualTo("3,c");
      assertThat(lines.tooLong()).isFalse();
      assertThat(lines.number()).isEqualTo(4);
      assertThat(lines.advance()).isFalse();
    }
  }

  @Test
  void whatKeptFeaturesAreNamedBy_isAsItWas_withoutLineBreaks() {
    assertThat(CsvLayout.standard())
        .hasToString("CsvLayout[delimiter=,, header=false, label=Last[]]");
    assertThat(new CsvLayout(',', false, new LabelColumn.Last(), true, 0).toString())
        .isNotEqualTo(CsvLayout.standard().toString());
  }

  @Test
  void publicWidth_isChecked() throws IOException {
    DataSpec spec = csv(file("1,2,0\n"));
    assertThat(rows(withFeatures(spec, 2))).hasSize(1);
    assertProblem(withFeatures(spec, 3), 1, "has 3 columns instead of 4");
  }

  @Test
  void wrongDelimiter_isGuessedFromTheLoneColumn() {
    assertProblem("1;2;0\n", 1, "has no column beside the label: is the delimiter right?");
  }

  @Test
  void range_countsDataRowsOnly() throws IOException {
    DataSpec spec = headed("a,b\n\n1,0\n2,0\n3,0\n4,0\n", new LabelColumn.Last());
    assertThat(rows(withRange(spec, 2, 3))).containsExactly("[2.0] -> 0", "[3.0] -> 0");
  }

  @Test
  void rowsOutsideTheRange_areNotLookedAt() throws IOException {
    assertThat(rows(withRange(csv(file("?,?\n1,0\n\"")), 2, 2))).containsExactly("[1.0] -> 0");
  }

  @Test
  void fileWithoutRows_hasRowsOfThePublicWidth() throws IOException {
    assertThat(SmallData.read(withFeatures(csv(file("")), 4)).columns()).isEqualTo(4);
    assertThat(SmallData.read(headed("a,b\n", new LabelColumn.Last())).rows()).isZero();
  }

  @Test
  void fileWithoutAnyWidth_isRefused() {
    assertThatThrownBy(() -> rows(csv(file("\n"))))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder.resolve("rows.csv") + ": is empty");
  }

  @Test
  void moreThanAnyWidth_isRefused() {
    assertThatThrownBy(() -> rows(csv(file("1,".repeat(RowForm.MAX_FEATURES + 1) + "0\n"))))
        .isInstanceOf(DataFormatException.class);
  }
}
