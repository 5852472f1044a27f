package io.mutune.trainer.feature;

import java.util.List;

/** Every kind that stands for a map by its numbers alone. */
public final class FeatureTypes {
  public static final List<FeatureType> ALL =
      List.of(
          Scale.TYPE,
          L2Normalize.TYPE,
          GroupNorm.TYPE,
          OpponentColours.TYPE,
          Hog.TYPE,
          Scattering.TYPE,
          RandomFourier.TYPE,
          Polynomial.TYPE,
          Constant.TYPE,
          PublicMean.TYPE);

  private FeatureTypes() {}
}
