package io.mutune.trainer.feature;

import java.util.List;
import java.util.Map;

/**
 * A map of one row that follows from public parameters alone: it learns nothing from any row, so it
 * costs no privacy. A row's image depends on no other row.
 */
public sealed interface FeatureMap permits InPlaceMap, Hog, Scattering, RandomFourier, Polynomial {
  /** The {@code type}s of sweep files that stand for a map by their numbers alone. */
  List<String> NAMES =
      List.of(
          Scale.NAME,
          L2Normalize.NAME,
          GroupNorm.NAME,
          Hog.NAME,
          Scattering.NAME,
          RandomFourier.NAME,
          Polynomial.NAME);

  /**
   * How long the image of a row of {@code inputs} values is.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  int outputs(int inputs);

  /**
   * The map for rows of {@code inputs} values. Another one for each thread.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  RowMap open(int inputs);

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
      case GroupNorm.NAME -> GroupNorm.ofParameters(parameters);
      case Hog.NAME -> Hog.ofParameters(parameters);
      case Scattering.NAME -> Scattering.ofParameters(parameters);
      case RandomFourier.NAME -> RandomFourier.ofParameters(parameters);
      case Centre.NAME -> Centre.ofParameters(parameters);
      case Polynomial.NAME -> Polynomial.ofParameters(parameters);
      default -> throw new IllegalArgumentException("unknown feature map '" + name + "'");
    };
  }
}
