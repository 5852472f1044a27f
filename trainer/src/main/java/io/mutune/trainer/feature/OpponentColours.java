package io.mutune.trainer.feature;

import java.util.List;

/**
 * The opponent colours of an image (van de Sande, Gevers and Snoek, TPAMI 2010): of red, green and
 * blue, one channel after the other, it makes brightness (R + G + B)/√3, red against green (R −
 * G)/√2 and yellow against blue (R + G − 2B)/√6, in this order. A rotation of each pixel, so that
 * norms stay. Red, green and blue of photographs are nearly the same picture; taken apart like
 * this, colour is not lost beside brightness in maps that normalise channels.
 */
public record OpponentColours() implements InPlaceMap {
  static final FeatureType TYPE =
      new FeatureType("opponent-colours", List.of(), read -> new OpponentColours());

  private static final int CHANNELS = 3;

  @Override
  public int outputs(int inputs) {
    if (inputs % CHANNELS != 0) {
      throw new IllegalArgumentException(
          "%s is for images of 3 channels, not for rows of %d values"
              .formatted(TYPE.name(), inputs));
    }
    return inputs;
  }

  @Override
  public void apply(float[] values, int offset, int length) {
    int pixels = length / CHANNELS;
    for (int i = offset; i < offset + pixels; i++) {
      double red = values[i];
      double green = values[i + pixels];
      double blue = values[i + 2 * pixels];
      values[i] = (float) ((red + green + blue) / Math.sqrt(3));
      values[i + pixels] = (float) ((red - green) / Math.sqrt(2));
      values[i + 2 * pixels] = (float) ((red + green - 2 * blue) / Math.sqrt(6));
    }
  }

  @Override
  public String name() {
    return TYPE.name();
  }
}
