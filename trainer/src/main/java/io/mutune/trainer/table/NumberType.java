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
  private static final Setting<Double> FILL =
      Scaled.bound("fill", "stands for a missing value, and a flag is added that tells of it");

  static final ColumnKind KIND =
      new ColumnKind(
          "number",
          "a number between public bounds",
          List.of(Scaled.MIN, Scaled.MAX, Scaled.LOG, Scaled.KNOTS, FILL),
          NumberType::read);

  public NumberType {
    if (fill != null && !scaled.holds(fill)) {
      throw new IllegalArgumentException("fill must be from min to max; was " + fill);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Optional<Scaled> bounds = Scaled.readBounds(given);
    boolean log = given.get(Scaled.LOG);
    int knots = given.getInt(Scaled.KNOTS);
    Optional<Double> fill = given.find(FILL);
    if (fill.isPresent() && bounds.filter(b -> !b.holds(fill.get())).isPresent()) {
      given.broken(FILL, "must be from min to max");
      return Optional.empty();
    }
    return bounds.map(
        b -> new NumberType(new Scaled(b.min(), b.max(), log, knots), fill.orElse(null)));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap()
        .with(Scaled.MIN, scaled.min())
        .with(Scaled.MAX, scaled.max())
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
    return CellFit.filled(row, at + width() - 1);
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.number(column, scaled, fill);
  }
}
