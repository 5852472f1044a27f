package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.SharedFolder;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.check.DataReport;
import io.mutune.trainer.check.DataReport.ClassCount;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.LabelColumn;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Data sets whose sizes are in the literature, or in the README beside them. */
class RealDataTest {
  private static DataReport check(DataSpec spec, double min, double max) throws IOException {
    return DataCheck.read(spec, FeaturePipeline.of(new Scale(min, max)));
  }

  private static DataSpec mnist(String part) {
    return new DataSpec(
        SharedFolder.file("data/mnist-" + part + "-images-idx3-ubyte.gz"),
        SharedFolder.file("data/mnist-" + part + "-labels-idx1-ubyte.gz"),
        DataFormat.IDX,
        CsvLayout.standard(),
        ClassLabels.of(10),
        784,
        null);
  }

  @Test
  void mnist_hasItsRowsAndDigits() throws IOException {
    DataReport report = check(mnist("t10k"), 0, 255);
    assertThat(report.problems()).isEmpty();
    assertThat(report.clampedValues()).isZero();
    assertThat(report.classCounts())
        .extracting(ClassCount::rows)
        .containsExactly(980L, 1135L, 1032L, 1010L, 982L, 892L, 958L, 1028L, 974L, 1009L);
  }

  @Test
  void mnist_isReadWholeIntoMemory() throws IOException {
    RowBlocks rows =
        new PublicData(mnist("train"), FeaturePipeline.of(new Scale(0, 255))).rows().blocks();
    assertThat(rows.rows()).isEqualTo(60000);
    assertThat(rows.columns()).isEqualTo(784);
    assertThat(rows.blocks().get(0).labels()).startsWith(5, 0, 4, 1, 9, 2, 1, 3, 1, 4);
    double sum = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (float value : block.features()) {
        sum += value;
      }
    }
    // The mean that everyone normalises MNIST with, to the four digits in which it is known.
    assertThat(sum / (60000.0 * 784)).isBetween(0.13065, 0.13075);
  }

  @Test
  void a9a_hasItsRowsAndClasses() throws IOException {
    DataReport report =
        check(
            new DataSpec(
                SharedFolder.file("data/a9a.libsvm.gz"),
                null,
                DataFormat.LIBSVM,
                CsvLayout.standard(),
                new ClassLabels(List.of("-1", "1")),
                123,
                null),
            0,
            1);
    assertThat(report.problems()).isEmpty();
    assertThat(report.columns()).isEqualTo(123);
    assertThat(report.classCounts())
        .containsExactly(new ClassCount("-1", 24720), new ClassCount("1", 7841));
  }

  @Test
  void digits_haveTheirRowsAndBounds() throws IOException {
    DataReport report =
        check(
            new DataSpec(
                SharedFolder.file("data/digits.csv.gz"),
                null,
                DataFormat.CSV,
                CsvLayout.standard(),
                ClassLabels.of(10),
                64,
                null),
            0,
            16);
    assertThat(report.problems()).isEmpty();
    assertThat(report.rows()).isEqualTo(1797);
    assertThat(report.clampedValues()).isZero();
    assertThat(report.compareWith(1800)).contains("close enough");
  }

  @Test
  void magic_hasAHeaderAndLettersForLabels() throws IOException {
    DataReport report =
        check(
            new DataSpec(
                SharedFolder.file("data/magic04.data.gz"),
                null,
                DataFormat.CSV,
                new CsvLayout(',', true, new LabelColumn.Named("class")),
                new ClassLabels(List.of("g", "h")),
                10,
                null),
            -1000,
            1000);
    assertThat(report.problems()).isEmpty();
    assertThat(report.classCounts())
        .containsExactly(new ClassCount("g", 12332), new ClassCount("h", 6688));
  }
}
