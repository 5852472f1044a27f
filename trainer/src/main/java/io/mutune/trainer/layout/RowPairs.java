package io.mutune.trainer.layout;

import io.mutune.trainer.kernel.BlockKernel;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Products of the rows of a unit, as they are stored: what the norm of a sum of their gradients is
 * made of, since Σ x ⊗ r has the square Σ (x·x')(r·r') over all pairs. Block by block {@code [size,
 * ROWS]}: at lag l and slot i the product of slots i and i + l, twice for l above 0, and 0 where
 * these are no two rows of one unit. In double, where products of floats are exact.
 */
final class RowPairs implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int ROWS = BlockKernel.ROWS;

  private final double[] @Nullable [] products;

  private RowPairs(double[] @Nullable [] products) {
    this.products = products;
  }

  /** The products of rows that are stored where {@code places} says. */
  static RowPairs of(UnitPlaces places, RowStore store, int width, int stride) {
    double[] @Nullable [] products = new double[places.blocks()][];
    float[] buffer = new float[store.buffer(1)];
    for (int block = 0; block < products.length; block++) {
      int size = places.blockSizes()[block];
      if (size > 1) {
        float[] rows = store.read(block, 1, buffer);
        products[block] = of(rows, store.offset(block), size, width, stride);
      }
    }
    return new RowPairs(products);
  }

  private static double[] of(float[] x, int from, int size, int width, int stride) {
    double[] products = new double[size * ROWS];
    for (int first = 0; first + size <= ROWS; first += size) {
      for (int i = first; i < first + size; i++) {
        for (int j = i; j < first + size; j++) {
          double dot = dot(x, from + i * stride, from + j * stride, width);
          products[(j - i) * ROWS + i] = i == j ? dot : 2 * dot;
        }
      }
    }
    return products;
  }

  private static double dot(float[] x, int a, int b, int width) {
    double sum = 0;
    for (int j = 0; j < width; j++) {
      sum += (double) x[a + j] * x[b + j];
    }
    return sum;
  }

  /**
   * The products of some of the units, for a layout where they stand elsewhere.
   *
   * @param from the first slot of each unit here
   * @param places where they go
   */
  RowPairs moved(int[] from, UnitPlaces places) {
    double[] @Nullable [] moved = new double[places.blocks()][];
    for (int unit = 0; unit < from.length; unit++) {
      int to = places.firstSlots()[unit];
      double[] source = products[from[unit] / ROWS];
      if (source == null) {
        continue;
      }
      int block = to / ROWS;
      int size = places.blockSizes()[block];
      double[] target = moved[block];
      if (target == null) {
        target = new double[size * ROWS];
        moved[block] = target;
      }
      for (int lag = 0; lag < size; lag++) {
        System.arraycopy(
            source, lag * ROWS + from[unit] % ROWS, target, lag * ROWS + to % ROWS, size - lag);
      }
    }
    return new RowPairs(moved);
  }

  /** The products of the blocks from {@code first} to before {@code end}. */
  RowPairs range(int first, int end) {
    return new RowPairs(Arrays.copyOfRange(products, first, end));
  }

  /** The products of one block; null where its units have one row each. */
  double @Nullable [] of(int block) {
    return products[block];
  }
}
