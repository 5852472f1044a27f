package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Polynomial;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowStorageTest {
  private static final FeaturePipeline TEN = FeaturePipeline.of(new Polynomial(2));
  private static final long STATED = 1000;

  /**
   * Ten features are filled up to 16; 40 bytes stand beside them, and 3 columns before the maps.
   */
  private static final long NEEDED = STATED * (16 * Float.BYTES + 40 + 3 * Float.BYTES);

  /** The longest line of three columns, in a heap that has three times what rows need. */
  private static final double LINE = 16 * ((1 << 20) + 3 * 64) / 3.0;

  /** Neither the file, which is not there, nor how many rows it has plays a part. */
  @Test
  void whatRowsTake_followsFromPublicNumbers() throws IOException {
    RowStorage storage = new RowStorage(STATED, 1);
    assertThat(storage.bytesInMemory(spec("absent.csv", DataFormat.CSV), TEN, 0)).isEqualTo(NEEDED);
    assertThat(storage.bytesInMemory(spec("absent.csv", DataFormat.CSV), TEN, STATED))
        .isEqualTo(NEEDED + STATED * 16 * Float.BYTES);
    assertThat(storage.bytesInMemory(spec("absent.npy.gz", DataFormat.NPY), TEN, 0))
        .isEqualTo(NEEDED);
    assertThat(storage.bytesInMemory(spec("absent.npy", DataFormat.NPY), TEN, 0)).isZero();
  }

  @Test
  void rowsThatBarelyFit_areRefused() {
    assertThatCode(() -> RowStorage.requireRoom(NEEDED, NEEDED)).doesNotThrowAnyException();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RowStorage.requireRoom(NEEDED, NEEDED - 1))
        .withMessageContaining("more than the 0.0 GB of Java's heap");
  }

  /** Maps behind a private mean count, and so do all parts together. */
  @Test
  void allPartsAndMaps_haveToFit() throws IOException {
    long heap = Runtime.getRuntime().maxMemory();
    long third = (long) (heap / 3.0 - LINE - 4096 * 3 * Float.BYTES) / (16 * Float.BYTES + 40);
    DataSpec csv = spec("absent.csv", DataFormat.CSV);
    PrivateData most = new PrivateData(csv, third, FeaturePipeline.of(), TEN, null);
    PrivateData.checkRoom(List.of(most), 0);
    PrivateData more = new PrivateData(csv, 1 + third, FeaturePipeline.of(), TEN, null);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PrivateData.checkRoom(List.of(more), 0));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PrivateData.checkRoom(List.of(most, most), 0));
    assertThatExceptionOfType(IOException.class)
        .as("scores beside the rows")
        .isThrownBy(() -> PrivateData.checkRoom(List.of(most), 1));
  }

  /** Of rows that stay in their files because they are too many, twice what they take. */
  @Test
  void scratchFiles_haveToFitTwice() throws IOException {
    DataSpec npy = spec("absent.npy", DataFormat.NPY);
    double taken = new RowStorage(STATED, 1).bytesInScratch(npy, TEN);
    assertThat(taken).isEqualTo(STATED * 16 * Float.BYTES);
    assertThat(new RowStorage(STATED, Long.MAX_VALUE).bytesInScratch(npy, TEN)).isZero();
    assertThat(new RowStorage(STATED, 1).bytesInScratch(spec("a.csv", DataFormat.CSV), TEN))
        .isZero();
    RowStorage.requireScratch(taken, (long) (2 * taken));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RowStorage.requireScratch(taken, (long) (2 * taken) - 1))
        .withMessageContaining("MUTUNE_SCRATCH");
    PrivateData many = new PrivateData(npy, 1L << 50, FeaturePipeline.of(), TEN, null);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PrivateData.checkRoom(List.of(many), 0))
        .withMessageContaining("scratch file");
  }

  private static DataSpec spec(String file, DataFormat format) {
    Path labels = format == DataFormat.NPY ? Path.of("labels.npy") : null;
    return new DataSpec(
        Path.of(file), labels, format, CsvLayout.standard(), SmallData.THREE_CLASSES, 3, null);
  }
}
