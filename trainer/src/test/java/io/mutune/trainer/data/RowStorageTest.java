package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Polynomial;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RowStorageTest {
  private static final FeaturePipeline TEN = FeaturePipeline.of(new Polynomial(2));
  private static final long STATED = 1000;
  private static final long NEEDED = STATED * 10 * Float.BYTES;

  /** Neither the file, which is not there, nor how many rows it has plays a part. */
  @Test
  void rowsThatBarelyFit_areRefusedByPublicNumbers() {
    DataSpec csv = spec("absent.csv", DataFormat.CSV);
    assertThatCode(() -> new RowStorage(STATED, NEEDED).requireRoom(csv, TEN))
        .doesNotThrowAnyException();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> new RowStorage(STATED, NEEDED - 1).requireRoom(csv, TEN))
        .withMessageContaining("more than the 0.0 GB of Java's heap")
        .withMessageNotContaining("absent");
  }

  @Test
  void rowsThatStayInTheirFiles_needNoRoom() {
    DataSpec npy = spec("absent.npy", DataFormat.NPY);
    DataSpec packed = spec("absent.npy.gz", DataFormat.NPY);
    assertThatCode(() -> new RowStorage(STATED, 1).requireRoom(npy, TEN))
        .doesNotThrowAnyException();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> new RowStorage(STATED, 1).requireRoom(packed, TEN));
  }

  private static DataSpec spec(String file, DataFormat format) {
    Path labels = format == DataFormat.NPY ? Path.of("labels.npy") : null;
    return new DataSpec(
        Path.of(file), labels, format, CsvLayout.standard(), SmallData.THREE_CLASSES, 3, null);
  }
}
