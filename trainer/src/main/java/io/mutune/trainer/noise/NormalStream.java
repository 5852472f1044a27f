package io.mutune.trainer.noise;

/** Independent draws from N(0, 1). */
@FunctionalInterface
public interface NormalStream {
  double next();

  /** Adds N(0, {@code standardDeviation}²) to every value, one draw each, in order. */
  default void addTo(double[] values, double standardDeviation) {
    for (int i = 0; i < values.length; i++) {
      values[i] += standardDeviation * next();
    }
  }
}
