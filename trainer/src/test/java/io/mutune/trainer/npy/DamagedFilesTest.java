package io.mutune.trainer.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mutune.testing.Effort;
import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.LabelColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files cut short or with bytes changed are read, or refused as what they are: no other exception
 * comes out. The seed is fixed, so the test cannot fail by chance.
 */
class DamagedFilesTest {
  private static final int CASES = Effort.of(400, 2000);
  private static final byte[] CSV =
      "\"a\",b,c\n1,2.5,0\n-3,4e1,1\n\"7\",8,2\n".getBytes(StandardCharsets.UTF_8);
  private static final byte[] LIBSVM =
      "0 1:1 3:2.5\n+1 2:4 # note\n2 1:1 2:1 3:-1e3\n".getBytes(StandardCharsets.UTF_8);
  private static final byte[] IMAGES = SmallData.idx(new int[] {3, 2, 2}, new int[12]);
  private static final byte[] FLOATS = SmallData.idxOfFloats(new int[] {3, 2}, 1, 2, 3, 4, 5, 6);
  private static final byte[] LABELS = SmallData.idx(new int[] {3}, 0, 1, 2);

  @TempDir Path folder;

  /** Reads one file, damaged in many ways. */
  private void assertRowsOrRefusal(byte[] whole, Map<String, byte[]> beside, Reading reading) {
    SplittableRandom random = new SplittableRandom(20240607);
    beside.forEach((name, bytes) -> SmallData.write(folder, name, bytes));
    for (int i = 0; i < CASES; i++) {
      byte[] damaged = damage(whole, random);
      Path file = SmallData.write(folder, "file", damaged);
      ThrowingCallable read = () -> reading.read(file);
      Throwable thrown = catchThrowable(read);
      assertThat(thrown == null || thrown instanceof DataFormatException)
          .withFailMessage(() -> "case of " + Arrays.toString(damaged) + " gave " + thrown)
          .isTrue();
    }
  }

  private interface Reading {
    void read(Path file) throws IOException;
  }

  private static byte[] damage(byte[] whole, SplittableRandom random) {
    byte[] damaged =
        random.nextInt(3) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
    for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }

  @Test
  void csv() {
    CsvLayout layout = new CsvLayout(',', true, new LabelColumn.Last());
    assertRowsOrRefusal(CSV, Map.of(), file -> SmallData.read(SmallData.csv(file, layout)));
    assertRowsOrRefusal(CSV, Map.of(), file -> SmallData.read(SmallData.csv(file)));
  }

  @Test
  void libsvm() {
    assertRowsOrRefusal(LIBSVM, Map.of(), file -> SmallData.read(SmallData.libsvm(file, 3)));
  }

  @Test
  void gzip() {
    assertRowsOrRefusal(
        SmallData.gzip(LIBSVM), Map.of(), file -> SmallData.read(SmallData.libsvm(file, 3)));
  }

  @Test
  void idxImages() {
    Path labels = folder.resolve("labels");
    for (byte[] images : new byte[][] {IMAGES, FLOATS, SmallData.gzip(IMAGES)}) {
      assertRowsOrRefusal(
          images, Map.of("labels", LABELS), file -> SmallData.read(SmallData.idx(file, labels)));
    }
  }

  @Test
  void idxLabels() {
    Path images = folder.resolve("images");
    assertRowsOrRefusal(
        LABELS, Map.of("images", IMAGES), file -> SmallData.read(SmallData.idx(images, file)));
  }

  @Test
  void npz() throws IOException {
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    arrays.put("weights", new NpyArray(new int[] {2, 3}, new double[] {1, 2, 3, 4, 5, 6}));
    arrays.put("bias", new NpyArray(new int[] {1}, new double[] {-0.5}));
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    NpzFile.write(whole, arrays);
    assertRowsOrRefusal(whole.toByteArray(), Map.of(), NpzFile::read);
  }
}
