package io.mutune.trainer.feature;

import java.util.List;
import java.util.Map;

/**
 * Group normalisation (Wu and He 2018) without its learned scale and shift, as Tramèr and Boneh
 * (ICLR 2021, section 3) put it after a scattering: the row's channels are cut into equal groups,
 * and each group is moved and scaled to mean 0 and variance 1 by its own mean and variance in this
 * row. It reads no other row, so it costs nothing.
 *
 * @param channels how many equal, consecutive parts a row has
 * @param groups divides {@code channels}
 */
public record GroupNorm(int channels, int groups) implements InPlaceMap {
  static final FeatureType TYPE =
      new FeatureType(
          "group-norm",
          List.of(
              FeatureType.whole("channels", 1, MAX_OUTPUTS),
              FeatureType.whole("groups", 1, MAX_OUTPUTS)),
          read -> new GroupNorm(read.count("channels"), read.count("groups")));

  /** Added to the variance, as in PyTorch: a flat group becomes zeros and not a division by 0. */
  private static final double EPSILON = 1e-5;

  public GroupNorm {
    if (channels < 1 || groups < 1 || channels % groups != 0) {
      throw new IllegalArgumentException(
          "group-norm needs a number of groups that divides that of channels; had "
              + groups
              + " groups and "
              + channels
              + " channels");
    }
  }

  @Override
  public int outputs(int inputs) {
    if (inputs % channels != 0) {
      throw new IllegalArgumentException(
          TYPE.name() + " of " + channels + " channels is not for rows of " + inputs + " values");
    }
    return inputs;
  }

  @Override
  public void apply(float[] values, int offset, int length) {
    int size = length / groups;
    for (int start = offset; start < offset + length; start += size) {
      normalize(values, start, start + size);
    }
  }

  private static void normalize(float[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    double mean = sum / (to - from);
    double squares = 0;
    for (int i = from; i < to; i++) {
      squares += (values[i] - mean) * (values[i] - mean);
    }
    double scale = 1 / Math.sqrt(squares / (to - from) + EPSILON);
    for (int i = from; i < to; i++) {
      values[i] = (float) ((values[i] - mean) * scale);
    }
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    to.groupNorm(groups, EPSILON);
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    return TYPE.write(channels, groups);
  }
}
