package io.mutune.accountant.renyi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An upper bound, for every order, on the Rényi divergence between a mechanism's outputs on two
 * neighbours, either way round (Mironov 2017). Immutable, and rounded up.
 */
@FunctionalInterface
public interface RenyiCurve {
  /** No privacy loss at all. */
  RenyiCurve NONE = order -> 0;

  /**
   * At least the divergence of this order; infinite where none is known.
   *
   * @param order above 1
   */
  double at(double order);

  /** The curve of both together, however adaptively the second was chosen. */
  default RenyiCurve plus(RenyiCurve other) {
    return order -> Rounding.up(at(order) + other.at(order));
  }

  /** The same, which computes each order once: for those who ask for some again and again. */
  default RenyiCurve remembered() {
    Map<Double, Double> known = new ConcurrentHashMap<>();
    return order -> known.computeIfAbsent(order, this::at);
  }

  /** The curve of {@code count} of these. */
  default RenyiCurve times(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1; was " + count);
    }
    return count == 1 ? this : order -> Rounding.up(at(order) * count);
  }
}
