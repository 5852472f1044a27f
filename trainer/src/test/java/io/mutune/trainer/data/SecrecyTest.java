package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.LabelColumn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 2 for messages: whatever is wrong with a file, nothing of its content is told. */
class SecrecyTest {
  /** Looked for without its case, in messages, causes and suppressed exceptions. */
  private static final String CANARY = "canary77";

  @TempDir Path folder;

  private static String everythingTold(Throwable thrown) {
    StringWriter told = new StringWriter();
    thrown.printStackTrace(new PrintWriter(told, true));
    return told.toString();
  }

  private void assertTellsNothing(byte[] content, BiFunction<Path, Path, DataSpec> spec)
      throws IOException {
    Path file = SmallData.write(folder, "file", content);
    DataSpec read = spec.apply(file, file);
    Throwable thrown = catchThrowable(() -> SmallData.read(read));
    assertThat(thrown).isInstanceOf(DataFormatException.class);
    assertThat(everythingTold(thrown)).doesNotContainIgnoringCase(CANARY);
    assertThat(DataCheck.read(read, FeaturePipeline.of()).problems())
        .isNotEmpty()
        .allSatisfy(problem -> assertThat(problem).doesNotContainIgnoringCase(CANARY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary77,0\n",
        "1,canary77\n",
        "1,2,0\n1,canary77\n",
        "1,0\n\"canary77,0\n",
        "1,0\n\"canary77\"canary77,0\n",
        "canary77\n",
        "1,0\n\"canary77\n\",0\n",
        "1,0\n\"\",canary77\n"
      })
  void csv_tellsNothing(String text) throws IOException {
    assertTellsNothing(text.getBytes(StandardCharsets.UTF_8), (file, same) -> SmallData.csv(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary77,b\n1,0\n", "canary77\n1\n"})
  void csvHeader_isNotToldEither(String text) throws IOException {
    CsvLayout layout = new CsvLayout(',', true, new LabelColumn.Named("income"));
    assertTellsNothing(
        text.getBytes(StandardCharsets.UTF_8), (file, same) -> SmallData.csv(file, layout));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary77 1:1\n",
        "0 canary77\n",
        "0 canary77:1\n",
        "0 1:canary77\n",
        "0 9:1 canary77\n",
        "0 2:1 1:1 # canary77\n"
      })
  void libsvm_tellsNothing(String text) throws IOException {
    assertTellsNothing(
        text.getBytes(StandardCharsets.UTF_8), (file, same) -> SmallData.libsvm(file, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 20, 30})
  void truncatedGzip_tellsNothing(int length) throws IOException {
    byte[] packed = SmallData.gzip("1,0\ncanary77,canary78\n".getBytes(StandardCharsets.UTF_8));
    assertTellsNothing(Arrays.copyOf(packed, length), (file, same) -> SmallData.csv(file));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"canary77", "\0\0\10\1\0\0\0\10canary77", "\0\0\10\2\0\0\0\1\0\0\0\7canary77"})
  void idx_tellsNothing(String text) throws IOException {
    assertTellsNothing(text.getBytes(StandardCharsets.UTF_8), SmallData::idx);
  }

  @ParameterizedTest
  @ValueSource(ints = {77, 177, 250})
  void idxLabel_isNotTold(int label) throws IOException {
    Path images = SmallData.write(folder, "images", SmallData.idx(new int[] {1, 2}, label, label));
    Path labels = SmallData.write(folder, "labels", SmallData.idx(new int[] {1}, label));
    Throwable thrown = catchThrowable(() -> SmallData.read(SmallData.idx(images, labels)));
    assertThat(thrown)
        .hasMessage(labels + ": record 1: is not one of the class labels")
        .hasNoCause();
  }
}
