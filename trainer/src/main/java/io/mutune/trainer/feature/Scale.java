package io.mutune.trainer.feature;

import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Map;

/**
 * (x − min) / (max − min) with public bounds. A value outside them is clamped to [0, 1]: a private
 * value beyond a public bound is no error, since an error would tell of it.
 *
 * @param min finite
 * @param max finite and above {@code min}
 */
public record Scale(double min, double max) implements InPlaceMap {
  static final FeatureType TYPE =
      new FeatureType(
          "scale",
          List.of(bound("min"), bound("max")),
          read -> new Scale(read.number("min"), read.number("max")));

  public Scale {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "scale needs finite bounds with min below max; had min " + min + " and max " + max);
    }
  }

  private static Setting<Double> bound(String key) {
    return Setting.number(key, NumberRule.fromTo(-1e30, 1e30), "scale needs public bounds");
  }

  @Override
  public void apply(float[] values, int offset, int length) {
    double width = max - min;
    for (int i = offset; i < offset + length; i++) {
      values[i] = (float) Math.min(1, Math.max(0, (values[i] - min) / width));
    }
  }

  /** Whether {@link #apply} would clamp this value. */
  public boolean clamps(float value) {
    return value < min || value > max;
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    to.subtract(min);
    to.divide(max - min);
    to.clamp(0, 1);
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    return TYPE.write(min, max);
  }
}
