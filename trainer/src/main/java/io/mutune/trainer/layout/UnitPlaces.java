package io.mutune.trainer.layout;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.noise.RowOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Where units stand: those of m rows in m slots, one after the other, and as many of them in a
 * block as it holds. Blocks hold units of one size, in a secret order of the size's own. So a unit
 * that is taken out has its place taken by the last unit of its size, and all other units stay
 * where they are (docs/soundness.md).
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record UnitPlaces(int[] firstSlots, int[] blockSizes) {
  /** In place of the first slot of a unit without rows. */
  static final int NOWHERE = -1;

  /**
   * @param sizes rows of each unit, from 0 to {@link BlockKernel#ROWS}; a unit of 0 has no place
   * @param orders drawn from once for each size, the smallest first
   */
  static UnitPlaces of(int[] sizes, RowOrders orders) {
    int[] counts = new int[BlockKernel.ROWS + 1];
    for (int size : sizes) {
      counts[size]++;
    }
    int[] first = new int[sizes.length];
    Arrays.fill(first, NOWHERE);
    int[] blockSizes = new int[blocks(counts)];
    int block = 0;
    for (int size = 1; size <= BlockKernel.ROWS; size++) {
      if (counts[size] == 0) {
        continue;
      }
      int[] units = ofSize(size, counts[size], sizes);
      int[] order = orders.draw(units.length);
      int together = BlockKernel.ROWS / size;
      for (int place = 0; place < order.length; place++) {
        first[units[order[place]]] =
            Math.multiplyExact(block + place / together, BlockKernel.ROWS)
                + place % together * size;
      }
      int end = block + blocks(order.length, size);
      Arrays.fill(blockSizes, block, end, size);
      block = end;
    }
    return new UnitPlaces(first, blockSizes);
  }

  /**
   * Places units bucket by bucket, each bucket in blocks of its own.
   *
   * @param sizes rows of each unit
   * @param bucketOf the bucket of each unit
   * @param buckets how many there are; of one, nothing is asked of {@code bucketOf}
   * @param orders of each bucket
   */
  static UnitPlaces of(int[] sizes, int[] bucketOf, int buckets, IntFunction<RowOrders> orders) {
    if (buckets == 1) {
      return of(sizes, orders.apply(0));
    }
    int[] first = new int[sizes.length];
    int[] units = new int[sizes.length];
    int[] ends = ends(bucketOf, buckets);
    int[] next = ends.clone();
    for (int unit = sizes.length - 1; unit >= 0; unit--) {
      units[--next[bucketOf[unit]]] = unit;
    }
    List<int[]> all = new ArrayList<>();
    int blocks = 0;
    for (int bucket = 0, from = 0; bucket < ends.length; from = ends[bucket++]) {
      if (from == ends[bucket]) {
        continue;
      }
      int[] own = Arrays.copyOfRange(units, from, ends[bucket]);
      UnitPlaces places =
          of(Arrays.stream(own).map(unit -> sizes[unit]).toArray(), orders.apply(bucket));
      for (int i = 0; i < own.length; i++) {
        int slot = places.firstSlots[i];
        first[own[i]] =
            slot == NOWHERE
                ? NOWHERE
                : Math.addExact(Math.multiplyExact(blocks, BlockKernel.ROWS), slot);
      }
      all.add(places.blockSizes);
      blocks += places.blocks();
    }
    return new UnitPlaces(first, all.stream().flatMapToInt(Arrays::stream).toArray());
  }

  /** Where the units of each bucket end, if those of a bucket stand together. */
  private static int[] ends(int[] bucketOf, int count) {
    int[] ends = new int[count];
    for (int bucket : bucketOf) {
      ends[bucket]++;
    }
    Arrays.parallelPrefix(ends, Integer::sum);
    return ends;
  }

  private static int[] ofSize(int size, int count, int[] sizes) {
    int[] units = new int[count];
    int found = 0;
    for (int unit = 0; unit < sizes.length; unit++) {
      if (sizes[unit] == size) {
        units[found++] = unit;
      }
    }
    return units;
  }

  private static int blocks(int[] counts) {
    int blocks = 0;
    for (int size = 1; size < counts.length; size++) {
      blocks += blocks(counts[size], size);
    }
    return blocks;
  }

  private static int blocks(int units, int size) {
    int together = BlockKernel.ROWS / size;
    return (units + together - 1) / together;
  }

  /** How many blocks there are. */
  int blocks() {
    return blockSizes.length;
  }
}
