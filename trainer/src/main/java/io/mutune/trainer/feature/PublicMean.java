package io.mutune.trainer.feature;

import java.util.List;

/**
 * A row less the mean of the data set's public rows, before that mean is known: {@link
 * FeaturePipeline#withMeans} puts {@link Centre} in its place. Public rows are no protected ones,
 * so their mean costs nothing.
 */
public record PublicMean() implements InPlaceMap {
  static final FeatureType TYPE =
      new FeatureType(Centre.PUBLIC, List.of(), read -> new PublicMean());

  @Override
  public void apply(float[] values, int offset, int length) {
    throw new IllegalStateException("the mean of the public rows is not known yet");
  }

  @Override
  public String name() {
    return TYPE.name();
  }
}
