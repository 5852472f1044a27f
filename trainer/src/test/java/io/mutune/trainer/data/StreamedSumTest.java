package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.NpyReaderTest;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.RowOrders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that stay in their file give the same sums, to the last bit, as the same rows in memory. */
class StreamedSumTest {
  private static final ReservedCharge PROOF =
      () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));
  private static final FeaturePipeline HALVES = FeaturePipeline.of(new Scale(0, 2));

  /** More than any heap holds, and fewer than any does not. */
  private static final long FAR_TOO_MANY = 1L << 40;

  private static final long FEW = 10;

  @TempDir Path folder;

  /** Rows of four features, every hundredth of them zeros. */
  private DataSpec spec(int rows) {
    SplittableRandom random = new SplittableRandom(4);
    float[] values = new float[rows * 4];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 4 % 100 == 7 ? 0 : (float) random.nextDouble();
    }
    int[] labels = random.ints(rows, 0, 3).toArray();
    return NpyReaderTest.spec(
        SmallData.write(folder, rows + "-x.npy", NpyReaderTest.floats(rows + ", 4", values)),
        SmallData.write(folder, rows + "-y.npy", NpyReaderTest.bytes(labels)));
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void clippedSums_ofStreamedRows_areThoseOfRowsInMemory(Engine engine) throws IOException {
    DataSpec spec = spec(5_500);
    double[] held = sums(engine, RowCollector.collect(spec, HALVES, UnfitRows.REFUSED));
    assertThat(sums(engine, MappedRows.open(spec, HALVES, UnfitRows.REFUSED))).isEqualTo(held);
    assertThat(Arrays.stream(held).anyMatch(x -> x != 0)).isTrue();
  }

  /**
   * Around a block of the kernel, one of the reader, and a piece of the cache: where rows are kept
   * follows from what is stated and not from how many there are.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 4095, 4096, 4097, 8191, 8192, 8193})
  void oneRowMore_isKeptWhereTheOthersAre(int rows) throws IOException {
    DataSpec spec = spec(rows);
    RowBlocks held = new PrivateData(spec, FEW, HALVES, null).rows(PROOF).blocks();
    RowBlocks left = new PrivateData(spec, FAR_TOO_MANY, HALVES, null).rows(PROOF).blocks();
    assertThat(held.inMemory()).isTrue();
    assertThat(left.inMemory()).isFalse();
    assertThat(sums(Engine.KERNEL, left)).isEqualTo(sums(Engine.KERNEL, held));
  }

  /** It would be clipped by the norm that it had, and add more than C in each step. */
  @Test
  void aRowThatIsWrittenToAfterItsNormWasTaken_addsNothing() {
    AtomicBoolean written = new AtomicBoolean();
    List<RowBlocks.Block> file =
        new LazyBlocks(
            1,
            index -> {
              float size = written.getAndSet(true) ? 100 : 1;
              return block(new float[] {1, 2, 3, 4, size, 0, 0, 0}, 0, 1);
            });
    double[] other =
        sums(Engine.KERNEL, new RowBlocks(4, List.of(block(new float[] {1, 2, 3, 4}, 0))));
    assertThat(sums(Engine.KERNEL, RowBlocks.streamed(4, file, 2, false))).isEqualTo(other);
    assertThat(written).isTrue();
  }

  private static RowBlocks.Block block(float[] features, int... labels) {
    return new RowBlocks.Block(features, labels);
  }

  /** Over all rows at two places, and over a sample. */
  private static double[] sums(Engine engine, RowBlocks rows) {
    double[] sums = new double[36];
    double[] weights = new double[12];
    double[] sum = new double[12];
    try (ClippedSum clipped =
        engine
            .sums(RowOrders.seeded(4))
            .open(new PrivateRows(rows), new SoftmaxLoss(), 3, ClipNorm.of(0.1))) {
      for (int pass = 0; pass < 3; pass++) {
        Arrays.setAll(weights, i -> Math.sin(i));
        int[] row = {0};
        RowSample sample = pass < 2 ? RowSample.ALL : () -> row[0]++ % 3 != 1;
        clipped.compute(pass == 0 ? new double[12] : weights, ClipNorm.of(0.1), sample, sum);
        System.arraycopy(sum, 0, sums, 12 * pass, 12);
      }
    }
    return sums;
  }
}
