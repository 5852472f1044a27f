package io.mutune.trainer.table;

import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.Optional;

/**
 * A number between public bounds as s = (x − min) / (max − min), or ln(1 + x − min) / ln(1 + max −
 * min), in [0, 1]; what lies beyond a bound is cut to it. Over 2 or more knots s becomes hats: the
 * functions that are 1 at one of the points 0, 1/knots, …, 1, 0 at all others and linear between,
 * of which at most two are not 0, and whose sum is 1.
 *
 * @param min finite
 * @param max finite and above {@code min}
 * @param knots how many equal parts [0, 1] has; 0 or 1 for s alone
 */
public record Scaled(double min, double max, boolean log, int knots) {
  static final int MAX_KNOTS = 1000;

  static final Setting<Boolean> LOG =
      Setting.flag("log", "whether ln(1 + value - min) is scaled instead of the value")
          .usually(false);

  static final Setting<Long> KNOTS =
      Setting.count(
              "knots",
              0,
              MAX_KNOTS,
              "parts of the range, each with a slope of its own; 0 for the scaled value alone")
          .usually(9L);

  private static final NumberRule FINITE = NumberRule.fromTo(-1e30, 1e30);

  static final Setting<Double> MIN =
      bound("min", "the lower public bound: what lies below is cut to it");
  static final Setting<Double> MAX =
      bound("max", "the upper public bound: what lies above is cut to it");

  public Scaled {
    if (!(max > min) || !Double.isFinite(max - min)) {
      throw new IllegalArgumentException(
          "bounds must be finite, with min below max; had min " + min + " and max " + max);
    }
    if (knots < 0 || knots > MAX_KNOTS) {
      throw new IllegalArgumentException("knots must be from 0 to 1000; was " + knots);
    }
  }

  static Setting<Double> bound(String key, String meaning) {
    return Setting.number(key, FINITE, meaning);
  }

  /** The value alone between the bounds that are given; empty where they are none. */
  static Optional<Scaled> readBounds(SettingsReader given) {
    Optional<Double> min = given.require(MIN);
    Optional<Double> max = given.require(MAX);
    if (min.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    if (!(max.get() > min.get())) {
      given.broken(MAX, "must be above min");
      return Optional.empty();
    }
    return Optional.of(new Scaled(min.get(), max.get(), false, 0));
  }

  /** Whether it lies between the bounds. */
  boolean holds(double x) {
    return x >= min && x <= max;
  }

  int width() {
    return knots < 2 ? 1 : knots + 1;
  }

  /** Arithmetic in double, each result rounded to float32 once. */
  CellFit encode(double x, float[] row, int at) {
    double inside = Math.max(min, Math.min(max, x)) - min;
    double s = log ? Math.log1p(inside) / Math.log1p(max - min) : inside / (max - min);
    if (knots < 2) {
      row[at] = (float) s;
    } else {
      double place = Math.min(1, s) * knots;
      int part = Math.min(knots - 1, (int) place);
      row[at + part] = (float) (1 - (place - part));
      row[at + part + 1] = (float) (place - part);
    }
    return holds(x) ? CellFit.FITS : CellFit.CUT;
  }
}
