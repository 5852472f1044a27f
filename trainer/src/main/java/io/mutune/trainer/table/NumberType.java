package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A number between public bounds. A value beyond them is cut, which is no error, since an error
 * would tell of it.
 *
 * @param scaled the bounds, and which numbers a value becomes
 * @param fill between the bounds, stands for a missing value, which a flag then tells of; null
 *     where a row without a value does not fit
 */
public record NumberType(Scaled scaled, @Nullable Double fill) implements ColumnType {
  private static final Setting<Double> MIN =
      Scaled.bound("min", "the lower public bound: what lies below is cut to it");
  private static final Setting<Double> MAX =
      Scaled.bound("max", "the upper public bound: what lies above is cut to it");
  private static final Setting<Double> FILL =
      Scaled.bound("fill", "stands for a missing value, and a flag is added that tells of it");

  static final ColumnKind KIND =
      new ColumnKind(
          "number",
          "a number between public bounds",
          List.of(MIN, MAX, Scaled.LOG, Scaled.KNOTS, FILL),
          NumberType::read);

  public NumberType {
    if (fill != null && !scaled.holds(fill)) {
      throw new IllegalArgumentException("fill must be from min to max; was " + fill);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Optional<Double> min = ColumnKind.required(given, MIN);
    Optional<Double> max = ColumnKind.required(given, MAX);
    boolean log = given.get(Scaled.LOG);
    int knots = given.getInt(Scaled.KNOTS);
    Optional<Double> fill = given.find(FILL);
    if (min.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    if (!(max.get() > min.get())) {
      given.broken(MAX, "must be above min");
      return Optional.empty();
    }
    if (fill.isPresent() && !(fill.get() >= min.get() && fill.get() <= max.get())) {
      given.broken(FILL, "must be from min to max");
      return Optional.empty();
    }
    return Optional.of(
        new NumberType(new Scaled(min.get(), max.get(), log, knots), fill.orElse(null)));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap()
        .with(MIN, scaled.min())
        .with(MAX, scaled.max())
        .with(Scaled.LOG, scaled.log())
        .with(Scaled.KNOTS, (long) scaled.knots())
        .with(FILL, fill);
  }

  @Override
  public int width() {
    return scaled.width() + (fill == null ? 0 : 1);
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    double x = cell.number();
    return Double.isNaN(x) ? CellFit.NO_NUMBER : scaled.encode(x, row, at);
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    if (fill == null) {
      return CellFit.MISSING;
    }
    scaled.encode(fill, row, at);
    return Fill.flag(row, at + width() - 1);
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.number(column, scaled, fill);
  }
}
