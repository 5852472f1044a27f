package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.DataSpec.Part;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DataSpecTest {
  @TempDir Path folder;

  @Test
  void formats_haveTheKeysOfTheSweepFile() {
    assertThat(DataFormat.ofKey("libsvm")).isEqualTo(DataFormat.LIBSVM);
    for (DataFormat format : DataFormat.values()) {
      assertThat(DataFormat.ofKey(format.key())).isEqualTo(format);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DataFormat.ofKey("arff"))
        .withMessage(
            "unknown format 'arff'; known: csv, idx, images, jsonl, libsvm, npy, npz, parquet, tsv");
  }

  @Test
  void labelColumns_areReadFromTheWordOfTheSweepFile() {
    assertThat(LabelColumn.of("first")).isEqualTo(new LabelColumn.First());
    assertThat(LabelColumn.of("last")).isEqualTo(new LabelColumn.Last());
    assertThat(LabelColumn.of("12")).isEqualTo(new LabelColumn.Index(12));
    assertThat(LabelColumn.of("income")).isEqualTo(new LabelColumn.Named("income"));
  }

  @Test
  void labelColumnBeforeTheFirst_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LabelColumn.Index(-1))
        .withMessageContaining("starts at 0");
  }

  @Test
  void namedLabelColumn_needsAHeader() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CsvLayout(',', false, new LabelColumn.Named("income")))
        .withMessageContaining("header");
  }

  @Test
  void delimiterThatCsvUsesOtherwise_isRefused() {
    for (char delimiter : "\"\n\r#".toCharArray()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CsvLayout(delimiter, false, new LabelColumn.Last()))
          .withMessageContaining("delimiter");
    }
  }

  @Test
  void ranges_countFromOneAndGoUpwards() {
    assertThat(new RowRange(3, 3).size()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new RowRange(0, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new RowRange(4, 3));
  }

  @Test
  void libsvm_withoutAPublicWidth_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new DataSpec(
                    Path.of("a9a"),
                    null,
                    DataFormat.LIBSVM,
                    CsvLayout.standard(),
                    ClassLabels.of(2),
                    null,
                    null))
        .withMessageContaining("must not be learned from the rows");
  }

  private static RowForm form(DataFormat format) {
    CsvLayout csv = CsvLayout.standard();
    if (format == DataFormat.IMAGES) {
      return RowForm.ofImages(csv, new ImageSource(Image.grey(1, 2)));
    }
    return format.needsTable()
        ? RowForm.ofTable(
            format, csv, Table.of(new Column("x", new CategoryType(List.of("a"), false, false))))
        : RowForm.ofNumbers(format, csv, 4);
  }

  @ParameterizedTest
  @EnumSource
  void labelsFile_belongsToIdxAndNpyAndOnlyThere(DataFormat format) {
    Part part = new Part(Path.of("rows"), format.hasLabelFile() ? null : Path.of("labels"));
    RowForm form = form(format);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DataSpec(List.of(part), form, ClassLabels.of(2), null))
        .withMessageContaining("idx and npy keep labels");
  }

  @Test
  void aBlockOfRowsOfTheMostFeatures_isOneArray() {
    assertThat((long) RowForm.MAX_FEATURES * RowBlocks.BLOCK_ROWS).isLessThan(Integer.MAX_VALUE);
  }

  @Test
  void featuresOutOfRange_areRefused() {
    DataSpec spec = SmallData.csv(Path.of("rows"));
    for (int features : new int[] {0, -1, RowForm.MAX_FEATURES + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SmallData.withFeatures(spec, features))
          .withMessageContaining("features must be from 1");
    }
  }

  @Test
  void checkReadable_namesAMissingFile_theLabelsToo() {
    Path images = SmallData.write(folder, "images", "");
    Path missing = folder.resolve("missing");
    assertThatThrownBy(SmallData.idx(images, missing)::checkReadable)
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing + ": there is no such file");
  }

  @Test
  void checkReadable_refusesAFolder() {
    assertThatThrownBy(SmallData.csv(folder)::checkReadable)
        .isInstanceOf(IOException.class)
        .hasMessage(folder + ": is a folder, not a file");
  }

  @Test
  void checkReadable_doesNotMindWhatIsInTheFile() {
    Path file = SmallData.write(folder, "noise", new byte[] {0x1f, (byte) 0x8b, 7});
    assertThatCode(SmallData.csv(file)::checkReadable).doesNotThrowAnyException();
  }
}
