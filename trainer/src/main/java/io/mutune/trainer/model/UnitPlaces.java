package io.mutune.trainer.model;

import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.noise.RowOrders;
import java.util.Arrays;

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
