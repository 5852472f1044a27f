package io.mutune.trainer.feature;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The wavelet scattering of two layers (Oyallon and Mallat, CVPR 2015) on which Tramèr and Boneh
 * (ICLR 2021) train private linear models: the image averaged, the moduli of its wavelet transform
 * averaged, and the moduli of their wavelet transforms at coarser scales averaged, each average
 * kept at every 2^J-th pixel. Nothing in it is learned.
 *
 * <p>A channel becomes 1 + J·L + L²·J(J − 1)/2 maps of height/2^J × width/2^J, in the order
 * average, first layer by scale and angle, second layer; channels one after the other. With J = 2
 * and L = 8 an image of 28 × 28 becomes 81 × 7 × 7 = 3969 features.
 *
 * @param image how a row is an image; at least 2^J + 1 pixels a side
 * @param scales J, from 1 to 6
 * @param angles L, from 1 to 32
 */
public record Scattering(Image image, int scales, int angles) implements FeatureMap {
  static final FeatureType TYPE =
      new FeatureType(
          "scattering",
          Image.settings(
              List.of(
                  FeatureType.count("scales").usually(2.0),
                  FeatureType.count("angles").usually(8.0))),
          read ->
              new Scattering(
                  Image.of(read),
                  read.whole("scales", 1, Scattering.MAX_SCALES),
                  read.whole("angles", 1, Scattering.MAX_ANGLES)));

  private static final int MAX_SCALES = 6;
  private static final int MAX_ANGLES = 32;

  public Scattering {
    if (scales < 1 || scales > MAX_SCALES || angles < 1 || angles > MAX_ANGLES) {
      throw new IllegalArgumentException(
          "scattering has 1 to %d scales and 1 to %d angles; had %d and %d"
              .formatted(MAX_SCALES, MAX_ANGLES, scales, angles));
    }
    if (Math.min(image.height(), image.width()) <= 1 << scales) {
      throw new IllegalArgumentException(
          "scattering over %d scales needs more than %d pixels a side"
              .formatted(scales, 1 << scales));
    }
  }

  /** How many maps a channel becomes. */
  public int maps() {
    return 1 + scales * angles + angles * angles * scales * (scales - 1) / 2;
  }

  @Override
  public int outputs(int inputs) {
    image.requireSize(TYPE.name(), inputs);
    long outputs =
        (long) image.channels() * maps() * (image.height() >> scales) * (image.width() >> scales);
    if (outputs > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("scattering would make more features than fit in a row");
    }
    return (int) outputs;
  }

  @Override
  public RowMap open(int inputs) {
    int each = outputs(inputs) / image.channels();
    int plane = image.height() * image.width();
    ScatteringPass pass = new ScatteringPass(this);
    return (in, inOffset, out, outOffset) -> {
      for (int c = 0; c < image.channels(); c++) {
        pass.apply(in, inOffset + c * plane, out, outOffset + c * each);
      }
    };
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    throw InexpressibleException.of(this);
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    image.putInto(parameters);
    parameters.put("scales", (double) scales);
    parameters.put("angles", (double) angles);
    return parameters;
  }
}
