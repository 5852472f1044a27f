package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.ReadHere;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.ClassWeights;
import io.mutune.trainer.loss.HuberHingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.WeightedLoss;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSumTest {
  private static final int FEATURES = 37;

  /** Machines in this process: all that they are given comes as bytes, and in any order. */
  private static class Bytes implements Cluster {
    private final int parts;
    private final Random random = new Random(3);

    Bytes(int parts) {
      this.parts = parts;
    }

    /** What a part answers, as it comes here. */
    long[] answered(long[] sums) {
      return sums;
    }

    @Override
    public String description() {
      return "this process";
    }

    @Override
    public int parts(long bytes) {
      return parts;
    }

    @Override
    public Rows hold(int count, IntFunction<RowPart> part) {
      List<byte[]> held = new ArrayList<>();
      for (int p = 0; p < count; p++) {
        held.add(ReadHere.written(part.apply(p)));
      }
      return sums -> {
        byte[] step = ReadHere.written(sums);
        Collections.shuffle(held, random);
        long[] all = {};
        for (byte[] bytes : held) {
          long[] more =
              answered(((PartSums) ReadHere.read(step)).of((RowPart) ReadHere.read(bytes)));
          all = all.length == 0 ? new long[more.length] : all;
          for (int i = 0; i < all.length; i++) {
            all[i] += more[i];
          }
        }
        return all;
      };
    }

    @Override
    public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
      return new ReadHere(files, buckets, parts);
    }

    @Override
    public void close() {}
  }

  /** More parts than blocks, too: some are then empty. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 200})
  void sumsInParts_areThoseOfOneProcess_bitForBit(int parts) {
    List<Loss> losses =
        List.of(
            new SoftmaxLoss(),
            new WeightedLoss(new SoftmaxLoss(), ClassWeights.of(List.of(1.0, 0.5, 0.25))),
            new HuberHingeLoss(0.5));
    for (Loss loss : losses) {
      requireSame(rows(5000, 3), loss, 3, parts);
    }
    requireSame(rows(1000, 2), new SoftmaxLoss(), 2, parts);
    requireSame(rows(1000, 2), new LogisticLoss(), 2, parts);
  }

  /** Persons of 1 to 5 rows. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 50})
  void sumsOfPeopleInParts_areThoseOfOneProcess_bitForBit(int parts) {
    int[] unitOf = new int[2000];
    SplittableRandom random = new SplittableRandom(8);
    for (int row = 1, left = random.nextInt(5); row < unitOf.length; row++, left--) {
      unitOf[row] = unitOf[row - 1] + (left == 0 ? 1 : 0);
      left = left == 0 ? random.nextInt(1, 6) : left;
    }
    requireSame(
        new PrivateRows(rows(2000, 3).blocks().withUnits(RowUnits.of(unitOf))),
        new SoftmaxLoss(),
        3,
        parts);
  }

  /**
   * Neighbours in the orders that docs/soundness.md pairs: single rows, and people of three, at the
   * start, within and at the end, in parts of many blocks and of one.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void sumsOfNeighbours_areWithinTheClipNorm_howeverTheyAreCut(int rowsOfAUnit) {
    for (int parts : new int[] {1, 5, 40}) {
      for (int gone : new int[] {0, 333, UNITS - 1}) {
        assertThat(apart(() -> new Bytes(parts), rowsOfAUnit, gone))
            .isLessThanOrEqualTo(1)
            .isGreaterThan(0.99);
      }
    }
  }

  /** Twice what any row adds; or the sum of a part without its last 17 bits, a 32nd of C. */
  @Test
  void aClusterThatAsksAPartTwice_orRoundsWhatPartsAnswer_isFound() {
    Cluster once = new Bytes(5);
    Cluster twice =
        new Bytes(5) {
          @Override
          public Rows hold(int count, IntFunction<RowPart> part) {
            return super.hold(2 * count, number -> part.apply(number % count));
          }
        };
    Cluster rounding =
        new Bytes(5) {
          @Override
          long[] answered(long[] sums) {
            return Arrays.stream(sums).map(sum -> sum & -(1 << 17)).toArray();
          }
        };
    double most = 0;
    for (int gone : new int[] {0, 333, UNITS - 1}) {
      assertThat(apart(() -> once, 1, gone)).isLessThanOrEqualTo(1);
      assertThat(apart(() -> twice, 1, gone)).isGreaterThan(1.9);
      most = Math.max(most, apart(() -> rounding, 1, gone));
    }
    assertThat(most).isGreaterThan(1);
  }

  private static final int UNITS = 1000;

  /** By how much the sums of neighbours differ, in units of the clip norm. */
  private static double apart(Supplier<Cluster> cluster, int rowsOfAUnit, int gone) {
    float[][] rows =
        NeighbourSumTest.alignedRows(new SplittableRandom(gone), UNITS * rowsOfAUnit, 3);
    float[][] less = rows;
    for (int i = 0; i < rowsOfAUnit; i++) {
      less = NeighbourSumTest.without(less, gone * rowsOfAUnit);
    }
    int[] order = RowOrders.seeded(gone).draw(UNITS);
    int[] paired = NeighbourSumTest.without(order, gone);
    return MathArrays.distance(
        sum(Engine.on(cluster.get(), n -> order, 1000), rows, rowsOfAUnit),
        sum(Engine.on(cluster.get(), n -> paired, 1000), less, rowsOfAUnit));
  }

  private static double[] sum(ClippedSums engine, float[][] rows, int rowsOfAUnit) {
    int[] unitOf = IntStream.range(0, rows.length).map(row -> row / rowsOfAUnit).toArray();
    RowBlocks blocks = TestRows.blocks(rows, new int[rows.length]).withUnits(RowUnits.of(unitOf));
    double[] sum = new double[rows[0].length];
    try (ClippedSum clipped =
        engine.open(new PrivateRows(blocks), new LogisticLoss(), 2, ClipNorm.of(1))) {
      clipped.compute(new double[sum.length], sum);
    }
    return sum;
  }

  private static PrivateRows rows(int count, int classes) {
    SplittableRandom random = new SplittableRandom(count + classes);
    float[][] values = TestRows.normalRows(random, count, FEATURES);
    values[7] = new float[FEATURES];
    values[8][0] = Float.NaN;
    RowBlocks blocks = TestRows.blocks(values, TestRows.labels(random, count, classes + 1));
    return new PrivateRows(blocks);
  }

  private static void requireSame(PrivateRows rows, Loss loss, int classes, int parts) {
    ClippedSums here = Engine.KERNEL.sums(RowOrders.seeded(4));
    ClippedSums there = Engine.on(new Bytes(parts), RowOrders.seeded(4), 1000);
    List<ClipNorm> clips = List.of(ClipNorm.of(0.1), ClipNorm.of(1), ClipNorm.of(5));
    int length = FEATURES * loss.columns(classes);
    double[][] weights = new double[clips.size()][];
    SplittableRandom random = new SplittableRandom(5);
    Arrays.setAll(weights, t -> TestRows.weights(random, length));
    try (FusedClippedSum ours = here.openFused(rows, loss, classes, clips);
        FusedClippedSum theirs = there.openFused(rows, loss, classes, clips)) {
      for (boolean[] active :
          new boolean[][] {{true, true, true}, {false, true, true}, {true, false, false}}) {
        assertThat(sums(theirs, weights, clips, active, length))
            .isDeepEqualTo(sums(ours, weights, clips, active, length));
      }
      assertThat(sampled(theirs, weights, clips, length))
          .isDeepEqualTo(sampled(ours, weights, clips, length));
    }
  }

  private static double[][] sums(
      FusedClippedSum fused,
      double[][] weights,
      List<ClipNorm> clips,
      boolean[] active,
      int length) {
    double[][] sums = new double[weights.length][length];
    RowSample[] everyRow = {RowSample.ALL, RowSample.ALL, RowSample.ALL};
    fused.compute(weights, clips.toArray(ClipNorm[]::new), everyRow, sums, active);
    assertThat(Arrays.stream(sums[active[0] ? 0 : 1]).anyMatch(value -> value != 0)).isTrue();
    return sums;
  }

  private static UniformStream bits(int step) {
    return new SeededNoise(3).bits(new StreamId("sample", 1, 1, step));
  }

  private static double[][] sampled(
      FusedClippedSum fused, double[][] weights, List<ClipNorm> clips, int length) {
    double[][] sums = new double[weights.length][length];
    RowSample[] samples = {
      RowSample.poisson(0.2, bits(1)), RowSample.ALL, RowSample.poisson(0.1, bits(2))
    };
    fused.compute(
        weights, clips.toArray(ClipNorm[]::new), samples, sums, new boolean[] {true, true, true});
    return sums;
  }
}
