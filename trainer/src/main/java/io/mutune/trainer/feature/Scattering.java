package io.mutune.trainer.feature;

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
 * <p>Mirrored, each average is the mean of that of the image and that of its mirror image, left for
 * right. The right half of the columns would say nearly the same again and is left out: with J = 2
 * and L = 8 an image of 32 × 32 becomes 81 × 8 × 4 features.
 *
 * @param image how a row is an image; at least 2^J + 1 pixels a side
 * @param scales J, from 1 to 6
 * @param angles L, from 1 to 32
 * @param mirrored whether an image and its mirror image are to be the same
 */
public record Scattering(Image image, int scales, int angles, boolean mirrored)
    implements FeatureMap {
  private static final String MIRRORED = "mirrored";

  static final FeatureType TYPE =
      new FeatureType(
          "scattering",
          Image.settings(
              List.of(
                  FeatureType.whole("scales", 1, Scattering.MAX_SCALES).usually(2.0),
                  FeatureType.whole("angles", 1, Scattering.MAX_ANGLES).usually(8.0),
                  FeatureType.whole(MIRRORED, 0, 1).usually(0.0))),
          read ->
              new Scattering(
                  Image.of(read),
                  read.count("scales"),
                  read.count("angles"),
                  read.count(MIRRORED) == 1));

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
    return FeatureMap.outputs(
        TYPE.name(), (double) image.channels() * maps() * (image.height() >> scales) * kept());
  }

  /** How many columns of a map are kept. */
  private int kept() {
    int columns = image.width() >> scales;
    return mirrored ? (columns + 1) / 2 : columns;
  }

  @Override
  public double held(int inputs) {
    return ScatteringPass.bytes(this);
  }

  @Override
  public RowMap open(int inputs) {
    int each = outputs(inputs) / image.channels();
    int plane = image.height() * image.width();
    ScatteringPass pass = new ScatteringPass(this);
    if (mirrored) {
      return openMirrored(pass, plane, each);
    }
    return (in, inOffset, out, outOffset) -> {
      for (int c = 0; c < image.channels(); c++) {
        pass.apply(in, inOffset + c * plane, false, out, outOffset + c * each);
      }
    };
  }

  private RowMap openMirrored(ScatteringPass pass, int plane, int each) {
    int columns = image.width() >> scales;
    int kept = kept();
    float[] left = new float[each / kept * columns];
    float[] right = new float[left.length];
    return (in, inOffset, out, outOffset) -> {
      int to = outOffset;
      for (int c = 0; c < image.channels(); c++) {
        pass.apply(in, inOffset + c * plane, false, left, 0);
        pass.apply(in, inOffset + c * plane, true, right, 0);
        for (int line = 0; line < left.length; line += columns) {
          for (int j = 0; j < kept; j++) {
            out[to++] = (left[line + j] + right[line + j]) / 2;
          }
        }
      }
    };
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    int height = image.height();
    int width = image.width();
    return mirrored
        ? TYPE.write(height, width, image.channels(), scales, angles, 1)
        : TYPE.write(height, width, image.channels(), scales, angles);
  }
}
