package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.SmallData;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void labelsFile_belongsToIdxAndNpyAndOnlyThere() {
    for (DataFormat format : DataFormat.values()) {
      Path labels = format.hasLabelFile() ? null : Path.of("labels");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new DataSpec(
                      Path.of("rows"),
                      labels,
                      format,
                      CsvLayout.standard(),
                      ClassLabels.of(2),
                      4,
                      null))
          .withMessageContaining("idx and npy keep labels");
    }
  }

  @Test
  void featuresOutOfRange_areRefused() {
    DataSpec spec = SmallData.csv(Path.of("rows"));
    for (int features : new int[] {0, -1, DataSpec.MAX_FEATURES + 1}) {
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
