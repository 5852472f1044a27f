package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.layout.BucketSample;
import io.mutune.trainer.layout.PoissonSample;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of several buckets, and the same ones without a row or a person. */
class BucketSumTest {
  private static final int BUCKETS = 5;
  private static final int UNITS = 1000;
  private static final RowBuckets KEYED = RowOrders.seeded(3).buckets(BUCKETS);

  /** Those of a key, with orders that are given: all units have as many rows. */
  private record Given(IntFunction<int[]> orderOf) implements RowBuckets {
    @Override
    public int count() {
      return BUCKETS;
    }

    @Override
    public int ofNumbers(float[] rows, int from, int columns) {
      return KEYED.ofNumbers(rows, from, columns);
    }

    @Override
    public int ofName(long name) {
      return KEYED.ofName(name);
    }

    @Override
    public RowOrders orders(int bucket) {
      return units -> orderOf.apply(bucket);
    }
  }

  /** As {@link RowOrders} of which a data set asks buckets alone. */
  private static RowOrders of(IntFunction<int[]> orderOf) {
    return new RowOrders() {
      @Override
      public int[] draw(int rows) {
        throw new IllegalStateException("not of one bucket");
      }

      @Override
      public RowBuckets buckets(int count) {
        assertThat(count).isEqualTo(BUCKETS);
        return new Given(orderOf);
      }
    };
  }

  /** Neighbours in the orders that docs/soundness.md pairs: single rows, and people of three. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void sumsOfNeighbours_areWithinTheClipNorm(int rowsOfAUnit) {
    float[][] rows = NeighbourSumTest.alignedRows(new SplittableRandom(1), UNITS * rowsOfAUnit, 3);
    int[] bucketOf =
        IntStream.range(0, UNITS).map(u -> KEYED.ofNumbers(rows[u * rowsOfAUnit], 0, 3)).toArray();
    for (int gone : new int[] {0, 333, UNITS - 1}) {
      int own = bucketOf[gone];
      int place = (int) Arrays.stream(bucketOf).limit(gone).filter(b -> b == own).count();
      float[][] less =
          IntStream.range(0, rows.length)
              .filter(row -> row / rowsOfAUnit != gone)
              .mapToObj(row -> rows[row])
              .toArray(float[][]::new);
      IntFunction<int[]> orders =
          bucket ->
              RowOrders.seeded(bucket + gone)
                  .draw((int) Arrays.stream(bucketOf).filter(b -> b == bucket).count());
      IntFunction<int[]> paired =
          bucket ->
              bucket == own
                  ? NeighbourSumTest.without(orders.apply(bucket), place)
                  : orders.apply(bucket);
      assertThat(
              MathArrays.distance(
                  sum(of(orders), rows, rowsOfAUnit), sum(of(paired), less, rowsOfAUnit)))
          .isLessThanOrEqualTo(1)
          .isGreaterThan(0.99);
    }
  }

  private static double[] sum(RowOrders orders, float[][] rows, int rowsOfAUnit) {
    return sum(orders, rows, rowsOfAUnit, RowSample.ALL);
  }

  private static double[] sum(RowOrders orders, float[][] rows, int rowsOfAUnit, RowSample sample) {
    PrivateRows data = new PrivateRows(blocks(rows, rowsOfAUnit), BUCKETS);
    double[] sum = new double[3];
    try (ClippedSum clipped =
        Engine.KERNEL.sums(orders).open(data, new LogisticLoss(), 2, ClipNorm.of(1))) {
      clipped.compute(new double[3], ClipNorm.of(1), sample, sum);
    }
    return sum;
  }

  private static RowSample sample(double rate, int step) {
    return RowSample.poisson(rate, new SeededNoise(2).bits(new StreamId("sample", 1, 1, step)));
  }

  /**
   * Of the last unit of a bucket, under the same keys: all others then have the same coins, and an
   * order of one more is that of the others with it put into one of their places, as
   * docs/soundness.md pairs them.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void sampledSumsOfNeighbours_areTheSame_whereTheUnitIsNotTaken(int rowsOfAUnit) {
    float[][] rows = NeighbourSumTest.alignedRows(new SplittableRandom(2), UNITS * rowsOfAUnit, 3);
    int own = KEYED.ofNumbers(rows[0], 0, 3);
    int gone = UNITS - 1;
    while (KEYED.ofNumbers(rows[gone * rowsOfAUnit], 0, 3) != own) {
      gone--;
    }
    float[][] less = without(rows, gone, rowsOfAUnit);
    RowOrders orders = RowOrders.seeded(3);
    int taken = 0;
    for (int step = 1; step <= 40; step++) {
      double[] all = sum(orders, rows, rowsOfAUnit, sample(0.3, step));
      double[] others = sum(orders, less, rowsOfAUnit, sample(0.3, step));
      if (!Arrays.equals(all, others)) {
        taken++;
        assertThat(MathArrays.distance(all, others)).isLessThanOrEqualTo(1).isGreaterThan(0.99);
      }
    }
    assertThat(taken).isBetween(4, 22);
  }

  /** They are in one bucket, and a coin for all of them would not be what is charged. */
  @Test
  void equalRows_haveACoinEach() {
    float[][] rows = new float[2000][];
    Arrays.fill(rows, new float[] {3, 4, 0});
    for (int step = 1; step <= 5; step++) {
      double[] sum = sum(RowOrders.seeded(3), rows, 1, sample(0.2, step));
      assertThat(Math.abs(sum[0]) / 0.6 / 2000).isBetween(0.15, 0.25);
    }
  }

  /** As many of each bucket, and of no two the same ones. */
  @Test
  void buckets_haveCoinsOfTheirOwn() {
    BucketSample sample = ((PoissonSample) sample(0.5, 1)).byBucket();
    Set<List<Boolean>> drawn = new HashSet<>();
    for (int bucket = 0; bucket < 50; bucket++) {
      RowSample own = sample.of(bucket);
      List<Boolean> coins = IntStream.range(0, 100).mapToObj(i -> own.takesNext()).toList();
      assertThat(Collections.frequency(coins, true)).isBetween(25, 75);
      drawn.add(coins);
      RowSample again = sample.of(bucket);
      assertThat(IntStream.range(0, 100).mapToObj(i -> again.takesNext()).toList())
          .isEqualTo(coins);
    }
    assertThat(drawn).hasSize(50);
  }

  private static RowBlocks blocks(float[][] rows, int rowsOfAUnit) {
    return TestRows.blocks(rows, new int[rows.length])
        .withUnits(RowUnits.runs(rows.length / rowsOfAUnit, rowsOfAUnit));
  }

  /** Of rows some of which are equal: no other bucket has another block, wherever the row stood. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aUnitLess_changesBlocksOfItsOwnBucketAlone(int rowsOfAUnit) {
    float[][] rows = fewRows(UNITS * rowsOfAUnit);
    Set<List<Float>> all = blocksOf(KEYED, rows, rowsOfAUnit);
    assertThat(all).hasSizeGreaterThan(2 * BUCKETS);
    for (int gone = 0; gone < UNITS; gone += 101) {
      float[][] less = without(rows, gone, rowsOfAUnit);
      Set<List<Float>> changed = new HashSet<>(all);
      changed.removeAll(blocksOf(KEYED, less, rowsOfAUnit));
      int own = KEYED.ofNumbers(rows[gone * rowsOfAUnit], 0, 3);
      assertThat(changed).isNotEmpty().allMatch(block -> bucket(block) == own);
    }
  }

  /** Buckets by where rows stand, which a row less moves, are found. */
  @Test
  void aRowLess_changesAllBlocks_whereBucketsGoByPlace() {
    float[][] rows = fewRows(UNITS);
    Set<List<Float>> changed = new HashSet<>(blocksOf(byPlace(), rows, 1));
    int blocks = changed.size();
    changed.removeAll(blocksOf(byPlace(), without(rows, 0, 1), 1));
    assertThat(changed).hasSizeGreaterThan(blocks / 2);
  }

  private static RowBuckets byPlace() {
    int[] next = new int[1];
    return new RowBuckets() {
      private static final long serialVersionUID = 1;

      @Override
      public int count() {
        return BUCKETS;
      }

      @Override
      public int ofNumbers(float[] rows, int from, int columns) {
        return next[0]++ % BUCKETS;
      }

      @Override
      public int ofName(long name) {
        return 0;
      }

      @Override
      public RowOrders orders(int bucket) {
        return KEYED.orders(bucket);
      }
    };
  }

  private static float[][] fewRows(int count) {
    SplittableRandom random = new SplittableRandom(count);
    float[][] rows = new float[count][];
    Arrays.setAll(
        rows,
        row -> new float[] {1 + random.nextInt(15), 1 + random.nextInt(15), random.nextInt(2)});
    return rows;
  }

  private static float[][] without(float[][] rows, int unit, int rowsOfAUnit) {
    return IntStream.range(0, rows.length)
        .filter(row -> row / rowsOfAUnit != unit)
        .mapToObj(row -> rows[row])
        .toArray(float[][]::new);
  }

  /** Of a block, by the first of its rows that begins a unit. */
  private static int bucket(List<Float> block) {
    float[] first = {block.get(0), block.get(1), block.get(2)};
    return KEYED.ofNumbers(first, 0, 3);
  }

  /** The rows of each block, in their order, as they were before they were scaled. */
  private static Set<List<Float>> blocksOf(RowBuckets buckets, float[][] rows, int rowsOfAUnit) {
    RowLayout layout = RowLayout.of(blocks(rows, rowsOfAUnit), buckets, 4, Path.of(""));
    float[] row = new float[layout.stride()];
    List<List<Float>> blocks = new ArrayList<>();
    for (int block = 0; block < layout.blocks(); block++) {
      List<Float> values = new ArrayList<>();
      for (int slot = block * BlockKernel.ROWS; slot < (block + 1) * BlockKernel.ROWS; slot++) {
        layout.store().copy(slot, row, 0);
        double scale = (double) layout.low()[slot] * layout.high()[slot];
        for (int j = 0; j < 3; j++) {
          values.add((float) (row[j] * scale));
        }
      }
      blocks.add(values);
    }
    return blocks.stream().collect(Collectors.toSet());
  }
}
