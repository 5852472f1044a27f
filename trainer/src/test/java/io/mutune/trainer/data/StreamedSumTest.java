package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.SoftmaxLoss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StreamedSumTest {
  /** The same blocks in the same order: the same bits. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void clippedSums_ofStreamedRows_areThoseOfRowsInMemory(Engine engine, @TempDir Path folder)
      throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    float[] values = new float[5_500 * 4];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble();
    }
    int[] labels = random.ints(5_500, 0, 3).toArray();
    DataSpec spec =
        NpyReaderTest.spec(
            SmallData.write(folder, "x.npy", NpyReaderTest.floats("5500, 4", values)),
            SmallData.write(folder, "y.npy", NpyReaderTest.bytes(labels)));
    // The kernel leaves rows that are not in memory to ND4J.
    Engine same = engine == Engine.KERNEL ? Engine.ND4J : engine;
    double[] held = sums(same, RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED));
    assertThat(sums(engine, MappedRows.open(spec, FeaturePipeline.of(), UnfitRows.REFUSED)))
        .isEqualTo(held);
    assertThat(Arrays.stream(held).anyMatch(x -> x != 0)).isTrue();
  }

  /** Two passes at different weights. */
  private static double[] sums(Engine engine, RowBlocks rows) {
    double[] sums = new double[24];
    double[] weights = new double[12];
    double[] sum = new double[12];
    try (ClippedSum clipped =
        engine.open(new PrivateRows(rows), new SoftmaxLoss(), 3, ClipNorm.of(0.1))) {
      for (int pass = 0; pass < 2; pass++) {
        Arrays.setAll(weights, i -> Math.sin(i));
        clipped.compute(pass == 0 ? new double[12] : weights, sum);
        System.arraycopy(sum, 0, sums, 12 * pass, 12);
      }
    }
    return sums;
  }
}
