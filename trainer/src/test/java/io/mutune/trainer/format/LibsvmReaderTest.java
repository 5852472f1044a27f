package io.mutune.trainer.format;

import static io.mutune.trainer.data.SmallData.libsvm;
import static io.mutune.trainer.data.SmallData.rows;
import static io.mutune.trainer.data.SmallData.withRange;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibsvmReaderTest {
  @TempDir Path folder;

  private Path file(String text) {
    return SmallData.write(folder, "rows.libsvm", text);
  }

  private void assertProblem(String text, int line, String problem) {
    Path file = file(text);
    DataFormatException thrown =
        catchThrowableOfType(DataFormatException.class, () -> rows(libsvm(file, 3)));
    assertThat(thrown).hasMessage(file + ":" + line + ": " + problem).hasNoCause();
  }

  @Test
  void whatIsLeftOut_isZero() throws IOException {
    assertThat(rows(libsvm(file("+1 2:-.5\n0\n2 1:7 3:1e2 \n"), 3)))
        .containsExactly("[0.0, -0.5, 0.0] -> 1", "[0.0, 0.0, 0.0] -> 0", "[7.0, 0.0, 100.0] -> 2");
  }

  @Test
  void width_isThePublicOne_whateverTheRowsUse() throws IOException {
    assertThat(SmallData.read(libsvm(file("0 1:1\n"), 9)).columns()).isEqualTo(9);
    assertThat(SmallData.read(libsvm(file(""), 9)).columns()).isEqualTo(9);
  }

  @Test
  void commentsBlankLinesAndTabs_doNotMatter() throws IOException {
    assertThat(rows(libsvm(file("# head\n\n1\t1:2\t# 2:9\n   \n0 #\n"), 2)))
        .containsExactly("[2.0, 0.0] -> 1", "[0.0, 0.0] -> 0");
  }

  @Test
  void range_countsRowsNotLines() throws IOException {
    assertThat(rows(withRange(libsvm(file("# head\n? ?\n1 1:2\n0\n"), 1), 2, 2)))
        .containsExactly("[2.0] -> 1");
  }

  @Test
  void labelOfNoClass_isRefused() {
    assertProblem("0 1:1\n\n3 1:1\n", 3, "the label is not one of the class labels");
  }

  @Test
  void indexOutOfRange_isRefused() {
    assertProblem("0 0:1\n", 1, "entry 1 has an index outside 1-3");
    assertProblem("0 1:1 4:1\n", 1, "entry 2 has an index outside 1-3");
    assertProblem("0 99999999999999999999:1\n", 1, "entry 1 has an index outside 1-3");
  }

  @Test
  void indicesThatDoNotAscend_areRefused() {
    assertProblem("0 2:1 1:1\n", 1, "entry 2 has an index that does not ascend");
    assertProblem("0 2:1 2:1\n", 1, "entry 2 has an index that does not ascend");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", ":1", "a:1", "-1:1", "+1:1", "1.0:1", "qid:3"})
  void whatIsNoIndexAndValue_isRefused(String entry) {
    assertProblem("0 " + entry + "\n", 1, "entry 1 is not an index and a value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1:", "1:nan", "1:inf", "1:1e39", "1:1:1", "1:x"})
  void whatIsNoFiniteFloat32_isRefused(String entry) {
    assertProblem("0 " + entry + "\n", 1, "entry 1 has a value that is not a finite number");
  }

  @Test
  void zerosOfARow_areNotThoseOfTheRowBefore() throws IOException {
    assertThat(rows(libsvm(file("0 1:1 2:1\n0 2:5\n"), 2)))
        .containsExactly("[1.0, 1.0] -> 0", "[0.0, 5.0] -> 0");
  }
}
