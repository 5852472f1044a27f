package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;

/**
 * The number that a model predicts, between public bounds; what lies beyond is cut.
 *
 * @param min finite
 * @param max finite and above {@code min}
 */
public record TargetType(double min, double max) implements ColumnType {
  private static final Setting<Double> MIN =
      Scaled.bound("min", "the lower public bound: what lies below is cut to it");
  private static final Setting<Double> MAX =
      Scaled.bound("max", "the upper public bound: what lies above is cut to it");

  static final ColumnKind KIND =
      new ColumnKind(
          "target", "the number that a model predicts", List.of(MIN, MAX), TargetType::read);

  public TargetType {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "bounds must be finite, with min below max; had min " + min + " and max " + max);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Optional<Double> min = ColumnKind.required(given, MIN);
    Optional<Double> max = ColumnKind.required(given, MAX);
    if (min.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    if (!(max.get() > min.get())) {
      given.broken(MAX, "must be above min");
      return Optional.empty();
    }
    return Optional.of(new TargetType(min.get(), max.get()));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(MIN, min).with(MAX, max);
  }
}
