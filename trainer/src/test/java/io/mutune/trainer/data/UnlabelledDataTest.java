package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.UnlabelledSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnlabelledDataTest {
  private static final LabelColumn LAST_IF_PRESENT =
      new LabelColumn.IfPresent(new LabelColumn.Last(), 2);
  private static final LabelColumn NAMED_IF_PRESENT =
      new LabelColumn.IfPresent(new LabelColumn.Named("kind"), 2);

  @TempDir Path folder;

  private Path file(String text) {
    return SmallData.write(folder, "rows", text);
  }

  private UnlabelledSpec csv(String text, LabelColumn label) {
    return new UnlabelledSpec(
        file(text), RowForm.ofNumbers(DataFormat.CSV, new CsvLayout(',', false, label), 2));
  }

  private UnlabelledSpec headed(String text, LabelColumn label) {
    return new UnlabelledSpec(
        file(text), RowForm.ofNumbers(DataFormat.CSV, new CsvLayout(',', true, label), 2));
  }

  private UnlabelledSpec libsvm(String text) {
    return new UnlabelledSpec(
        file(text), RowForm.ofNumbers(DataFormat.LIBSVM, CsvLayout.standard(), 2));
  }

  private UnlabelledSpec idx(byte[] rows) {
    Path file = SmallData.write(folder, "rows", rows);
    return new UnlabelledSpec(file, RowForm.ofNumbers(DataFormat.IDX, CsvLayout.standard(), 2));
  }

  private static List<String> rows(UnlabelledSpec spec) throws IOException {
    List<String> rows = new ArrayList<>();
    new UnlabelledData(spec, FeaturePipeline.of())
        .forEach(first -> row -> rows.add(Arrays.toString(row)), piece -> {});
    return rows;
  }

  private void assertProblem(UnlabelledSpec spec, String problem) {
    DataFormatException thrown = catchThrowableOfType(DataFormatException.class, () -> rows(spec));
    assertThat(thrown).hasMessage(folder.resolve("rows") + ":" + problem).hasNoCause();
  }

  @Test
  void csvWithoutALabel_hasTheColumnsOfItsRowsAlone() throws IOException {
    for (LabelColumn label : new LabelColumn[] {new LabelColumn.None(), LAST_IF_PRESENT}) {
      assertThat(rows(csv("1,2\n3,4\n", label))).containsExactly("[1.0, 2.0]", "[3.0, 4.0]");
    }
  }

  @Test
  void csvLabels_areSkippedUnread_whateverTheyAre() throws IOException {
    for (LabelColumn label : new LabelColumn[] {new LabelColumn.Last(), LAST_IF_PRESENT}) {
      assertThat(rows(csv("1,2,?\n3,4,\n", label))).containsExactly("[1.0, 2.0]", "[3.0, 4.0]");
    }
    assertThat(rows(csv("x,1,2\n", new LabelColumn.IfPresent(new LabelColumn.First(), 2))))
        .containsExactly("[1.0, 2.0]");
  }

  @Test
  void namedLabel_isKnownByTheHeader() throws IOException {
    assertThat(rows(headed("a,kind,b\n1,x,2\n", NAMED_IF_PRESENT))).containsExactly("[1.0, 2.0]");
    assertThat(rows(headed("a,b\n1,2\n", NAMED_IF_PRESENT))).containsExactly("[1.0, 2.0]");
  }

  @Test
  void namedLabelInAFileOfTheRowsWidth_isNoFeature() {
    assertProblem(
        headed("a,kind\n1,2\n", NAMED_IF_PRESENT), "1: has 2 columns instead of 2 and the label");
  }

  @Test
  void namedLabelThatTheWidthPromises_mustBeThere() {
    assertProblem(headed("a,b,c\n1,2,3\n", NAMED_IF_PRESENT), " has no label column 'kind'");
  }

  @Test
  void csvOfAnotherWidth_isRefusedWithBoth() {
    assertProblem(csv("1,2,3\n", new LabelColumn.None()), "1: has 3 columns instead of 2");
    assertProblem(
        csv("1,2,3,4\n", LAST_IF_PRESENT), "1: has 4 columns instead of 2, or 3 with a label");
    assertProblem(csv("1;2\n", LAST_IF_PRESENT), "1: has 1 column instead of 2, or 3 with a label");
    assertProblem(
        csv("1,2\n", new LabelColumn.Last()), "1: has 2 columns instead of 2 and the label");
  }

  @Test
  void csvValueThatIsNoNumber_isRefusedWithItsPlace() {
    assertProblem(csv("1,2\n1,x\n", LAST_IF_PRESENT), "2: column 2 is not a finite number");
    assertProblem(csv("1,2,a\n1,2\n", LAST_IF_PRESENT), "2: has 2 columns instead of 3");
  }

  @Test
  void filesWithoutRows_haveNone() throws IOException {
    assertThat(rows(csv("", LAST_IF_PRESENT))).isEmpty();
    assertThat(rows(headed("a,b\n", LAST_IF_PRESENT))).isEmpty();
    assertThat(rows(libsvm("# nothing\n"))).isEmpty();
    assertThat(rows(idx(SmallData.idx(new int[] {0, 2})))).isEmpty();
  }

  @Test
  void libsvmLines_mayBeginWithAnyLabelOrNone() throws IOException {
    assertThat(rows(libsvm("1:5 2:6\n? 2:7\n9\n2:8 # 1:1\n")))
        .containsExactly("[5.0, 6.0]", "[0.0, 7.0]", "[0.0, 0.0]", "[0.0, 8.0]");
  }

  @Test
  void libsvmEntries_areCountedWithoutTheLabel() {
    assertProblem(libsvm("1:1 3:1\n"), "1: entry 2 has an index outside 1-2");
    assertProblem(libsvm("0 1:1 3:1\n"), "1: entry 2 has an index outside 1-2");
    assertProblem(libsvm("1:1 2\n"), "1: entry 2 is not an index and a value");
    assertProblem(libsvm("1:x\n"), "1: entry 1 has a value that is not a finite number");
  }

  @Test
  void idx_needsNoFileOfLabels() throws IOException {
    byte[] images = SmallData.idx(new int[] {2, 1, 2}, 0, 255, 2, 3);
    assertThat(rows(idx(images))).containsExactly("[0.0, 255.0]", "[2.0, 3.0]");
    assertThat(rows(idx(SmallData.gzip(images)))).isEqualTo(rows(idx(images)));
  }

  @Test
  void idxOfAnotherShape_isRefused() {
    assertProblem(idx(SmallData.idx(new int[] {1, 3}, 1, 2, 3)), " has 3 columns instead of 2");
    assertProblem(
        idx(SmallData.idx(new int[] {3}, 0, 2, 1)),
        " has one dimension, as labels have: is it the file of the rows?");
    assertProblem(idx(SmallData.idx(new int[] {2, 2}, 1, 2, 3)), " ends before record 2 does");
    assertProblem(idx(SmallData.idx(new int[] {1, 2}, 1, 2, 3)), " goes on after its last record");
  }

  @Test
  void featureMaps_areApplied() throws IOException {
    List<Float> values = new ArrayList<>();
    new UnlabelledData(csv("4,2\n", LAST_IF_PRESENT), FeaturePipeline.of(new Scale(0, 4)))
        .forEach(first -> row -> values.add(row[1]), piece -> {});
    assertThat(values).containsExactly(0.5f);
  }

  @Test
  void missingFile_isNamed() {
    Path missing = folder.resolve("gone");
    UnlabelledSpec spec =
        new UnlabelledSpec(missing, RowForm.ofNumbers(DataFormat.CSV, CsvLayout.standard(), 2));
    assertThat(catchThrowableOfType(NoSuchFileException.class, () -> rows(spec)))
        .hasMessage(missing + ": there is no such file");
  }

  @Test
  void labelThatMayBeMissing_isForUnlabelledRowsOnly() {
    for (LabelColumn label : new LabelColumn[] {new LabelColumn.None(), LAST_IF_PRESENT}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SmallData.csv(Path.of("rows"), new CsvLayout(',', false, label)))
          .withMessageContaining("need a label column");
      assertThatIllegalArgumentException().isThrownBy(() -> new LabelColumn.IfPresent(label, 2));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CsvLayout(',', false, NAMED_IF_PRESENT))
        .withMessageContaining("header");
  }

  @Test
  void labelColumn_isReadBackFromItsText() {
    for (String text : new String[] {"first", "last", "3", "kind"}) {
      assertThat(LabelColumn.of(text).text()).isEqualTo(text);
    }
    assertThat(NAMED_IF_PRESENT.text()).isEqualTo("kind");
    assertThat(new LabelColumn.None().text()).isEqualTo("none");
  }
}
