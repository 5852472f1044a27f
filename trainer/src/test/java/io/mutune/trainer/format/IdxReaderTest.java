package io.mutune.trainer.format;

import static io.mutune.trainer.data.SmallData.gzip;
import static io.mutune.trainer.data.SmallData.idx;
import static io.mutune.trainer.data.SmallData.idxOfFloats;
import static io.mutune.trainer.data.SmallData.rows;
import static io.mutune.trainer.data.SmallData.withFeatures;
import static io.mutune.trainer.data.SmallData.withRange;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxReaderTest {
  private static final byte[] IMAGES = idx(new int[] {3, 1, 2}, 0, 255, 2, 3, 4, 5);
  private static final byte[] LABELS = idx(new int[] {3}, 0, 2, 1);

  @TempDir Path folder;

  private DataSpec spec(byte[] images, byte[] labels) {
    return idx(
        SmallData.write(folder, "images", images), SmallData.write(folder, "labels", labels));
  }

  private void assertProblem(DataSpec spec, String problem) {
    DataFormatException thrown = catchThrowableOfType(DataFormatException.class, () -> rows(spec));
    assertThat(thrown).hasMessage(folder + "/" + problem).hasNoCause();
  }

  @Test
  void bytes_areUnsigned_andAllDimensionsButTheFirstAreColumns() throws IOException {
    assertThat(rows(spec(IMAGES, LABELS)))
        .containsExactly("[0.0, 255.0] -> 0", "[2.0, 3.0] -> 2", "[4.0, 5.0] -> 1");
  }

  @Test
  void floats_areReadAsTheyAre() throws IOException {
    byte[] rows = idxOfFloats(new int[] {2, 2}, 0.1f, -1e30f, 7, Float.MIN_VALUE);
    assertThat(rows(spec(rows, idx(new int[] {2}, 1, 1))))
        .containsExactly("[0.1, -1.0E30] -> 1", "[7.0, 1.4E-45] -> 1");
  }

  @Test
  void gzip_isKnownByContent_forEachFileByItself() throws IOException {
    assertThat(rows(spec(gzip(IMAGES), LABELS))).isEqualTo(rows(spec(IMAGES, gzip(LABELS))));
  }

  @Test
  void range_picksRecords() throws IOException {
    assertThat(rows(withRange(spec(IMAGES, LABELS), 2, 2))).containsExactly("[2.0, 3.0] -> 2");
    assertThat(rows(withRange(spec(IMAGES, LABELS), 3, 9))).containsExactly("[4.0, 5.0] -> 1");
  }

  @Test
  void fileOfAnotherKind_isRefused() {
    String problem = "does not begin like an IDX file of unsigned bytes or float32";
    assertProblem(
        spec("a,b,c\n1,2,3\n".getBytes(StandardCharsets.UTF_8), LABELS), "images: " + problem);
    byte[] doubles = IMAGES.clone();
    doubles[2] = 0x0e;
    assertProblem(spec(doubles, LABELS), "images: " + problem);
    assertProblem(spec(IMAGES, new byte[] {0, 0, 8, 0}), "labels: " + problem);
  }

  @Test
  void swappedFiles_areRefused() {
    assertProblem(
        spec(LABELS, IMAGES),
        "images: has one dimension, as labels have: are the two files swapped?");
    assertProblem(
        spec(IMAGES, IMAGES), "labels: is not a file of labels: one dimension of unsigned bytes");
  }

  @Test
  void truncatedFiles_areRefused() {
    assertProblem(spec(Arrays.copyOf(IMAGES, 3), LABELS), "images: ends within its header");
    assertProblem(spec(Arrays.copyOf(IMAGES, 15), LABELS), "images: ends within its header");
    assertProblem(
        spec(Arrays.copyOf(IMAGES, IMAGES.length - 1), LABELS),
        "images: ends before record 3 does");
    assertProblem(
        spec(IMAGES, Arrays.copyOf(LABELS, LABELS.length - 2)),
        "labels: ends before record 2 does");
  }

  @Test
  void trailingBytes_areRefused() {
    assertProblem(
        spec(Arrays.copyOf(IMAGES, IMAGES.length + 1), LABELS),
        "images: goes on after its last record");
    assertProblem(
        spec(gzip(IMAGES), gzip(Arrays.copyOf(LABELS, LABELS.length + 1))),
        "labels: goes on after its last record");
  }

  @Test
  void anotherNumberOfLabels_isRefused() {
    assertProblem(
        spec(IMAGES, idx(new int[] {2}, 0, 1)),
        "labels: does not have as many labels as " + folder + "/images has records");
  }

  @Test
  void labelOfNoClass_isRefused() {
    assertProblem(
        spec(IMAGES, idx(new int[] {3}, 0, 1, 200)),
        "labels: record 3: is not one of the class labels");
  }

  @Test
  void valueThatIsNotFinite_isRefused() {
    for (float value : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      assertProblem(
          spec(idxOfFloats(new int[] {1, 2}, 1, value), idx(new int[] {1}, 0)),
          "images: record 1: column 2 is not a finite number");
    }
  }

  @Test
  void dimensionsThatAreNotThoseOfRows_areRefused() {
    for (int[] dimensions :
        new int[][] {{-1, 2}, {1, 0}, {1, -2, -2}, {1, 1 << 16, 1 << 16}, {1, 1 << 20}}) {
      assertProblem(
          spec(idx(dimensions), LABELS),
          "images: has dimensions that are not those of rows with 1 to 524287 columns");
    }
  }

  @Test
  void publicWidth_isChecked() throws IOException {
    assertThat(rows(withFeatures(spec(IMAGES, LABELS), 2))).hasSize(3);
    assertProblem(withFeatures(spec(IMAGES, LABELS), 784), "images: has 2 columns instead of 784");
  }

  @Test
  void noRecords_giveNoRows() throws IOException {
    RowBlocks rows = SmallData.read(spec(idx(new int[] {0, 5}), idx(new int[] {0})));
    assertThat(rows.rows()).isZero();
    assertThat(rows.columns()).isEqualTo(5);
  }
}
