package io.mutune.trainer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.check.DataReport.ClassCount;
import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCheckTest {
  private static final FeaturePipeline UNIT_SCALE =
      FeaturePipeline.of(new Scale(0, 1), new L2Normalize());

  @TempDir Path folder;

  private DataSpec spec(String text) {
    return SmallData.csv(SmallData.write(folder, "rows.csv", text));
  }

  private DataReport check(String text) throws IOException {
    return DataCheck.read(spec(text), UNIT_SCALE);
  }

  @Test
  void report_countsRowsColumnsAndClasses() throws IOException {
    DataReport report = check("1,1,0\n0,1,2\n1,0,2\n");
    assertThat(report.rows()).isEqualTo(3);
    assertThat(report.columns()).isEqualTo(2);
    assertThat(report.classCounts())
        .containsExactly(new ClassCount("0", 1), new ClassCount("1", 0), new ClassCount("2", 2));
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void report_countsValuesThatScaleCuts_andRowsThatBecomeZero() throws IOException {
    DataReport report = check("0.5,2,0\n-1,-1,0\n0,0,0\n");
    assertThat(report.clampedValues()).isEqualTo(3);
    assertThat(report.zeroRows()).isEqualTo(2);
  }

  @Test
  void problems_areCollectedWithTheirLines() throws IOException {
    DataReport report = check("1,1,0\nx,1,0\n1,1,9\n1,0\n1,1,1\n");
    Path file = folder.resolve("rows.csv");
    assertThat(report.problems())
        .containsExactly(
            file + ":2: column 1 is not a finite number",
            file + ":3: column 3 is not one of the class labels: 3 classes are the labels 0 to 2",
            file + ":4: has 2 columns instead of 3");
    assertThat(report.rows()).isEqualTo(2);
  }

  @Test
  void problems_areNotMoreThanTwenty_andTheRowsAfterThemAreCountedAll() throws IOException {
    DataReport report = check("x,0\n".repeat(30) + "1,0\n0,1\n1,2\n");

    assertThat(report.problems()).hasSize(20);
    assertThat(report.comparison(3))
        .containsExactly(
            "The file has 3 rows and 3 are stated, 0.0% apart: close enough.",
            "1 rows are all zeros after the feature maps and teach nothing.",
            "30 rows do not fit: a study treats private ones as absent, and refuses public ones.");
  }

  @Test
  void fileThatBreaksAsAWhole_isAProblemToo() throws IOException {
    DataReport report = check("1,0\n\"1,0\n");
    assertThat(report.rows()).isEqualTo(1);
    assertThat(report.problems()).hasSize(1);
  }

  @Test
  void rangeBeyondTheEnd_isAProblem() throws IOException {
    DataSpec spec = SmallData.withRange(spec("1,0\n1,1\n"), 1, 3);
    assertThat(DataCheck.read(spec, UNIT_SCALE).problems())
        .containsExactly(spec.file() + ": ends before the last of the rows 1-3");
  }

  @Test
  void missingFile_isNoProblemOfItsForm() {
    assertThatThrownBy(() -> DataCheck.read(SmallData.csv(folder.resolve("gone")), UNIT_SCALE))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static DataReport report(long rows, long zeroRows, long clamped, String... problems) {
    List<ClassCount> counts = List.of(new ClassCount("a", rows), new ClassCount("b", 1));
    return new DataReport(
        rows, 4, counts, zeroRows, clamped, 0, null, 0, problems.length > 0, List.of(problems));
  }

  @Test
  void compare_uptoTenPercentApart_isCloseEnough() {
    assertThat(report(110, 0, 0).compareWith(100))
        .isEqualTo("The file has 110 rows and 100 are stated, 10.0% apart: close enough.");
  }

  @Test
  void compare_beyondTenPercent_saysWhatFollows() {
    assertThat(report(111, 0, 0).compareWith(100)).contains("more than 10%", "not the exact count");
    assertThat(report(89, 0, 0).compareWith(100)).contains("more than 10%");
  }

  @Test
  void compare_withNoRowsAtAll_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> report(1, 0, 0).compareWith(0));
  }

  @Test
  void compare_tellsWhatElseDoesNotSuit() {
    assertThat(report(0, 2, 3).compareWith(1))
        .contains(
            "The file has no rows that fit, and 1 are stated.",
            "No row has the label 'a'.",
            "2 rows are all zeros",
            "3 values lie outside")
        .doesNotContain("rounder");
  }

  @Test
  void ofAFileThatBreaks_nothingIsCompared() {
    assertThat(report(0, 2, 3, "rows.csv:1: broken").compareWith(1))
        .isEqualTo("The file does not have the form that is stated, and no trial can run.");
  }

  @Test
  void whichLabelsThereAre_isSaidOnce() throws IOException {
    assertThat(check("1,1,3\n1,1,3\n").problems())
        .satisfiesExactly(
            first -> assertThat(first).endsWith("labels: 3 classes are the labels 0 to 2"),
            second -> assertThat(second).endsWith("is not one of the class labels"));
  }

  @Test
  void aFileOfAnotherKind_isToldByItsFirstBytes_andReadNoFurther() throws IOException {
    assertThat(kind("PAR1xxxx"))
        .endsWith("rows.csv: is a Parquet file, not csv: its format is parquet");
    assertThat(kind("PK\u0003\u0004xxxx"))
        .contains("is a zip, as NPZ files and workbooks are, not csv");
    assertThat(kind("\u007fELFxxxx")).contains("is a program (ELF), not csv");
    assertThat(kind("SQLite format 3")).contains("is an SQLite database, not csv");
    assertThat(kind("%PDF-1.7")).contains("is a PDF, not csv");
    assertThat(kind("\u00ff\u00fe1\u0000"))
        .contains("is text in UTF-16, not csv: save it as UTF-8");
  }

  private String kind(String bytes) throws IOException {
    Path file = folder.resolve("rows.csv");
    Files.write(file, bytes.getBytes(StandardCharsets.ISO_8859_1));
    DataReport report = DataCheck.read(SmallData.csv(file), UNIT_SCALE);
    assertThat(report.rows()).isZero();
    assertThat(report.problems()).hasSize(1);
    return report.problems().get(0);
  }

  /** Longer forms of a character, halves of one, and what lies beyond all of them. */
  @Test
  void bytesThatStandForNoCharacter_areNotUtf8() throws IOException {
    Path file = folder.resolve("bytes.csv");
    for (String none : List.of("C080", "E08080", "EDA080", "F0808080", "F4908080", "F8808080")) {
      Files.write(file, HexFormat.of().parseHex("610A" + none));
      assertThat(DataCheck.otherEncoding(file, DataFormat.CSV).orElse("")).contains(".csv:2: is");
    }
    String extremes = "7F C280 DFBF E0A080 ED9FBF EE8080 EFBFBF F0908080 F48FBFBF";
    Files.write(file, HexFormat.of().parseHex(extremes.replace(" ", "")));
    assertThat(DataCheck.otherEncoding(file, DataFormat.CSV)).isEmpty();
  }

  /** Wherever a buffer ends within a character; half of one is none at the end alone. */
  @Test
  void charactersOfALongText_areReadWhole() throws IOException {
    Path file = folder.resolve("long.csv");
    for (String before : List.of("", "a", "aa")) {
      String text = before + "\u20ac".repeat(1 << 16) + "\n";
      Files.writeString(file, text);
      assertThat(DataCheck.otherEncoding(file, DataFormat.CSV)).isEmpty();
      Files.write(file, new byte[] {(byte) 0xE2, (byte) 0x82}, StandardOpenOption.APPEND);
      assertThat(DataCheck.otherEncoding(file, DataFormat.CSV).orElse("")).contains(".csv:2: is");
    }
  }

  @Test
  void aRowCountTenTimesOff_isFar() throws IOException {
    DataReport report = check("1,1,0\n".repeat(20));
    assertThat(report.isFarFrom(2)).isTrue();
    assertThat(report.isFarFrom(3)).isFalse();
    assertThat(report.isFarFrom(199)).isFalse();
    assertThat(report.isFarFrom(200)).isTrue();
  }
}
