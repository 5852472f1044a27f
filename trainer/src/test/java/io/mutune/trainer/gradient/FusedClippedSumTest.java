package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.RowOrders;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FusedClippedSumTest {
  private static final int ROWS = 1000;
  private static final int FEATURES = 37;

  /** Trials end one after the other, as they do when their numbers of steps differ. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void fusedTrials_getWhatTheyWouldAlone_bitForBit_untilTheLastHasEnded(Engine engine) {
    for (int classes : new int[] {2, 3, 7, 11}) {
      for (Loss loss : classes == 2 ? List.of(softmax(), logistic()) : List.of(softmax())) {
        requireSameAsAlone(engine.sums(RowOrders.seeded(1)), loss, classes);
      }
    }
  }

  private static void requireSameAsAlone(ClippedSums engine, Loss loss, int classes) {
    SplittableRandom random = new SplittableRandom(classes);
    PrivateRows rows = rows(random, ROWS, classes);
    List<ClipNorm> clips =
        List.of(ClipNorm.of(0.1), ClipNorm.of(1), ClipNorm.of(5), ClipNorm.of(1000));
    int length = FEATURES * loss.columns(classes);
    double[][] weights = new double[clips.size()][];
    double[][] sums = new double[clips.size()][length];
    RowSample[] everyRow = new RowSample[clips.size()];
    boolean[] active = new boolean[clips.size()];
    Arrays.setAll(weights, t -> TestRows.weights(random, length));
    Arrays.fill(everyRow, RowSample.ALL);
    Arrays.fill(active, true);
    try (FusedClippedSum fused = engine.openFused(rows, loss, classes, clips)) {
      for (int ended : new int[] {1, 3, 0, 2}) {
        for (double[] sum : sums) {
          Arrays.fill(sum, Double.NaN);
        }
        fused.compute(weights, clips.toArray(ClipNorm[]::new), everyRow, sums, active);
        for (int t = 0; t < clips.size(); t++) {
          double[] alone = new double[length];
          if (active[t]) {
            try (ClippedSum sum = engine.open(rows, loss, classes, clips.get(t))) {
              sum.compute(weights[t], alone);
            }
          } else {
            Arrays.fill(alone, Double.NaN);
          }
          assertThat(sums[t]).isEqualTo(alone);
        }
        active[ended] = false;
      }
    }
  }

  /**
   * Blocks' sums are added up exactly, so that which thread adds which does not matter. As many
   * rows as give each thread a piece.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void anyNumberOfThreads_givesTheSameBits(int threads) {
    PrivateRows rows = rows(new SplittableRandom(1), 20 * ROWS, 5);
    double[] weights = TestRows.weights(new SplittableRandom(2), FEATURES * 5);
    for (BlockKernel kernel : new BlockKernel[] {Kernels.fastest(), Kernels.plain()}) {
      assertThat(sum(kernel, threads, rows, weights)).isEqualTo(sum(kernel, 1, rows, weights));
    }
  }

  /** Float32 logits are off by 1e-7 of a row's norm; 1e-5 of the sum is what engines promise. */
  @Test
  void theKernelInPlainJava_agreesWithTheOne() {
    PrivateRows rows = rows(new SplittableRandom(3), ROWS, 5);
    double[] weights = TestRows.weights(new SplittableRandom(4), FEATURES * 5);
    double[] plain = sum(Kernels.plain(), 1, rows, weights);
    double[] fastest = sum(Kernels.fastest(), 1, rows, weights);
    double apart = 0;
    double length = 0;
    for (int i = 0; i < plain.length; i++) {
      apart += (plain[i] - fastest[i]) * (plain[i] - fastest[i]);
      length += plain[i] * plain[i];
    }
    assertThat(Math.sqrt(apart)).isLessThan(1e-5 * Math.sqrt(length));
  }

  /** Else a row more, which is a piece more, could make another thread take some. */
  @Test
  void everyThread_hasItsMemoryBeforeTheFirstStep_howeverFewTheRows() {
    int threads = 4;
    int classes = 1000;
    PrivateRows rows = rows(new SplittableRandom(5), 1, classes);
    ClippedSums sums = new KernelSums(RowOrders.seeded(1), Kernels.plain(), threads);
    long before = allocated();
    try (ClippedSum clipped = sums.open(rows, softmax(), classes, ClipNorm.of(1))) {
      double needed = threads * BlockSums.bytes(FEATURES, classes);
      assertThat((double) (allocated() - before)).isBetween(0.8 * needed, 1.4 * needed);
      double[] sum = new double[FEATURES * classes];
      before = allocated();
      clipped.compute(new double[FEATURES * classes], sum);
      assertThat((double) (allocated() - before)).isLessThan(0.01 * needed);
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private static double[] sum(BlockKernel kernel, int threads, PrivateRows rows, double[] weights) {
    double[] sum = new double[weights.length];
    ClippedSums sums = new KernelSums(RowOrders.seeded(1), kernel, threads);
    try (ClippedSum clipped = sums.open(rows, softmax(), 5, ClipNorm.of(1))) {
      clipped.compute(weights, sum);
    }
    return sum;
  }

  private static PrivateRows rows(SplittableRandom random, int count, int classes) {
    float[][] values = TestRows.normalRows(random, count, FEATURES);
    return new PrivateRows(TestRows.blocks(values, TestRows.labels(random, count, classes)));
  }

  private static Loss softmax() {
    return new SoftmaxLoss();
  }

  private static Loss logistic() {
    return new LogisticLoss();
  }
}
