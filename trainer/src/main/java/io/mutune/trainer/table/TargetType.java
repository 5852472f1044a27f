package io.mutune.trainer.table;

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
  static final ColumnKind KIND =
      new ColumnKind(
          "target",
          "the number that a model predicts",
          List.of(Scaled.MIN, Scaled.MAX),
          TargetType::read);

  public TargetType {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "bounds must be finite, with min below max; had min " + min + " and max " + max);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    return Scaled.readBounds(given).map(bounds -> new TargetType(bounds.min(), bounds.max()));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(Scaled.MIN, min).with(Scaled.MAX, max);
  }
}
