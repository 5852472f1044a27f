package io.mutune.trainer.feature;

import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Map;

/**
 * Random Fourier features (Rahimi and Recht 2007): √(2/D)·(cos ω·x, sin ω·x) for D/2 directions ω
 * with independent entries from N(0, 2γ), or nearly such ({@link OrthogonalDirections}). The inner
 * product of two images is exp(−γ‖x − y‖²) on average, and every image has norm 1. A row of d
 * values takes d·D/2 operations, or D·log d with orthogonal directions.
 *
 * <p>The directions follow from the seed, which is public: they are the same bits on every machine,
 * and hide nothing.
 *
 * @param features D, even, from 2 to 65536
 * @param gamma γ, finite and above 0
 * @param seed from 0 to 2^53 − 1
 * @param orthogonal whether directions are orthogonal in blocks, and not independent
 */
public record RandomFourier(int features, double gamma, long seed, boolean orthogonal)
    implements FeatureMap {
  private static final String ORTHOGONAL = "orthogonal";

  static final FeatureType TYPE =
      new FeatureType(
          "random-fourier",
          List.of(
              FeatureType.whole("features", 2, RandomFourier.MAX_FEATURES),
              Setting.number("gamma", NumberRule.fromTo(1e-30, 1e30), ""),
              FeatureType.whole("seed", 0, RandomFourier.MAX_SEED).usually(0.0),
              FeatureType.whole(ORTHOGONAL, 0, 1).usually(0.0)),
          read ->
              new RandomFourier(
                  read.count("features"),
                  read.number("gamma"),
                  read.whole("seed"),
                  read.count(ORTHOGONAL) == 1));

  /** With fewer values their kernel is another one: by up to 0.03 at 32, 0.2 at 4. */
  private static final int LEAST_ORTHOGONAL = 64;

  private static final int MAX_FEATURES = 1 << 16;
  private static final long MAX_SEED = (1L << 53) - 1;

  public RandomFourier {
    if (features < 2 || features > MAX_FEATURES || features % 2 != 0) {
      throw new IllegalArgumentException(
          "random-fourier needs an even number of features from 2 to %d; was %d"
              .formatted(MAX_FEATURES, features));
    }
    if (!(gamma > 0 && gamma < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("gamma must be finite and above 0; was " + gamma);
    }
    if (seed < 0 || seed > MAX_SEED) {
      throw new IllegalArgumentException("the seed must be from 0 to 2^53 - 1; was " + seed);
    }
  }

  @Override
  public int outputs(int inputs) {
    if (orthogonal && inputs < LEAST_ORTHOGONAL) {
      throw new IllegalArgumentException(
          "random-fourier with orthogonal directions is for rows of at least %d values; they have %d"
              .formatted(LEAST_ORTHOGONAL, inputs));
    }
    if (values(inputs) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "random-fourier: %d directions of %d values do not fit in memory"
              .formatted(features / 2, inputs));
    }
    return features;
  }

  /** How many numbers the directions are. */
  private long values(int inputs) {
    return orthogonal
        ? OrthogonalDirections.values(features / 2, inputs)
        : (long) inputs * (features / 2);
  }

  @Override
  public double held(int inputs) {
    return (double) Double.BYTES * values(inputs);
  }

  @Override
  public RowMap open(int inputs) {
    outputs(inputs);
    double[] products = new double[features / 2];
    double scale = Math.sqrt(2.0 / features);
    Products directions =
        orthogonal
            ? new OrthogonalDirections(products.length, inputs, gamma, normals())
            : independent(inputs);
    return (in, inOffset, out, outOffset) -> {
      directions.of(in, inOffset, products);
      for (int i = 0; i < products.length; i++) {
        out[outOffset + 2 * i] = (float) (scale * Math.cos(products[i]));
        out[outOffset + 2 * i + 1] = (float) (scale * Math.sin(products[i]));
      }
    };
  }

  /** The inner products of a row with all directions. */
  @FunctionalInterface
  interface Products {
    void of(float[] row, int offset, double[] out);
  }

  private Products independent(int inputs) {
    double[] directions = directions(inputs);
    return (row, offset, out) -> {
      for (int i = 0; i < out.length; i++) {
        double product = 0;
        for (int j = 0; j < inputs; j++) {
          product += directions[i * inputs + j] * row[offset + j];
        }
        out[i] = product;
      }
    };
  }

  private NormalStream normals() {
    return new SeededNoise(seed).stream(new StreamId(TYPE.name(), 0, 0, 1));
  }

  private double[] directions(int inputs) {
    double[] directions = new double[features / 2 * inputs];
    normals().addTo(directions, Math.sqrt(2 * gamma));
    return directions;
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    if (orthogonal) {
      // As a matrix they would be the same but for the last bits.
      throw new InexpressibleException(
          "the feature map random-fourier with orthogonal directions cannot be written down");
    }
    to.linear(features / 2, directions(inputs));
    to.waves(Math.sqrt(2.0 / features));
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    double exact = (double) seed;
    return orthogonal ? TYPE.write(features, gamma, exact, 1) : TYPE.write(features, gamma, exact);
  }
}
