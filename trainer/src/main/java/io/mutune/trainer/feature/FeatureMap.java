package io.mutune.trainer.feature;

import java.util.Map;

/**
 * A map of one row that follows from public parameters alone: it learns nothing from any row, so it
 * costs no privacy. A row's image depends on no other row.
 */
public sealed interface FeatureMap permits Scale, L2Normalize {
  /** Changes one row in place; the arithmetic is in double, the result rounded to float32. */
  void apply(float[] values, int offset, int length);

  /** The {@code type} of the sweep file. */
  String name();

  /** Its public numbers; {@link #of} reads them back exactly. */
  Map<String, Double> parameters();

  /**
   * The map that a sweep or a model file wrote down.
   *
   * @throws IllegalArgumentException if the name is unknown, a parameter is missing, unknown or out
   *     of range
   */
  static FeatureMap of(String name, Map<String, ? extends Number> parameters) {
    return switch (name) {
      case Scale.NAME -> Scale.ofParameters(parameters);
      case L2Normalize.NAME -> L2Normalize.ofParameters(parameters);
      default -> throw new IllegalArgumentException("unknown feature map '" + name + "'");
    };
  }
}
