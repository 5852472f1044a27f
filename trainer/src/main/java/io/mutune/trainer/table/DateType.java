package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A day between public bounds, in days from the first one; what lies beyond is cut. */
public final class DateType extends ComparedBySettings {
  /** 2026-01-31. */
  public static final String ISO = "yyyy-MM-dd";

  private static final Setting<String> MIN =
      Setting.text("min", "the first day, such as 2000-01-31: what lies before it is cut to it");
  private static final Setting<String> MAX =
      Setting.text("max", "the last day: what lies after it is cut to it");
  private static final Setting<String> FORMAT =
      Setting.text("format", "how the file writes days, in the letters of java.time").usually(ISO);
  private static final Setting<String> FILL =
      Setting.text("fill", "a day: stands for a missing one, and a flag is added that tells of it");

  static final ColumnKind KIND =
      new ColumnKind(
          "date",
          "a day between public bounds",
          List.of(MIN, MAX, FORMAT, Scaled.KNOTS, FILL),
          DateType::read);

  private final LocalDate min;
  private final LocalDate max;
  private final String format;
  private final @Nullable LocalDate fill;
  private final List<Double> missing;
  private final Scaled scaled;
  private final DateTimeFormatter formatter;

  /**
   * @param max after {@code min}
   * @param format a pattern of {@link DateTimeFormatter} that has a year, a month and a day; a time
   *     beside them is read and left out
   * @param knots as {@link Scaled} has them
   * @param fill between the bounds, stands for a missing value; null where a row without one does
   *     not fit
   * @throws IllegalArgumentException if these do not go together
   */
  public DateType(
      LocalDate min, LocalDate max, String format, int knots, @Nullable LocalDate fill) {
    this(min, max, format, knots, fill, List.of());
  }

  private DateType(
      LocalDate min,
      LocalDate max,
      String format,
      int knots,
      @Nullable LocalDate fill,
      List<String> missing) {
    this.min = min;
    this.max = max;
    this.format = format;
    this.fill = fill;
    this.scaled = new Scaled(days(min), days(max), false, knots);
    if (fill != null && !scaled.holds(days(fill))) {
      throw new IllegalArgumentException("fill must be from min to max; was " + fill);
    }
    this.formatter = formatter(format);
    try {
      String written = formatter.format(min.atStartOfDay(ZoneOffset.UTC));
      if (!LocalDate.parse(written, formatter).equals(min)) {
        throw new IllegalArgumentException("the format does not write every day in its own way");
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("the format is not one of days: " + format, e);
    }
    this.missing = missing.stream().flatMap(this::day).distinct().sorted().toList();
  }

  /**
   * The same where the days that these texts say, in its format, mean a missing value, however a
   * file writes or keeps them.
   */
  DateType withMissing(List<String> texts) {
    return new DateType(min, max, format, scaled.knots(), fill, texts);
  }

  private Stream<Double> day(String text) {
    try {
      return Stream.of(days(LocalDate.parse(text, formatter)));
    } catch (DateTimeException e) {
      return Stream.of(); // for other columns
    }
  }

  /**
   * No 31st of April: such a text is no date. A year has no era, and is one after Christ.
   *
   * @throws IllegalArgumentException if it is no pattern of {@link DateTimeFormatter}
   */
  public static DateTimeFormatter formatter(String format) {
    return new DateTimeFormatterBuilder()
        .parseCaseInsensitive()
        .appendPattern(format)
        .parseDefaulting(ChronoField.ERA, 1)
        .toFormatter(Locale.ENGLISH)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    given.require(MIN);
    given.require(MAX);
    Optional<LocalDate> min = day(given, MIN);
    Optional<LocalDate> max = day(given, MAX);
    Optional<LocalDate> fill = day(given, FILL);
    String format = given.get(FORMAT);
    int knots = given.getInt(Scaled.KNOTS);
    if (min.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new DateType(min.get(), max.get(), format, knots, fill.orElse(null)));
  }

  private static Optional<LocalDate> day(SettingsReader given, Setting<String> setting) {
    Optional<String> text = given.find(setting);
    try {
      return text.map(LocalDate::parse);
    } catch (DateTimeException e) {
      given.broken(setting, "must be a day such as 2000-01-31");
      return Optional.empty();
    }
  }

  /** After 1970-01-01. */
  private static double days(LocalDate day) {
    return (double) day.toEpochDay();
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap()
        .with(MIN, min.toString())
        .with(MAX, max.toString())
        .with(FORMAT, format)
        .with(Scaled.KNOTS, (long) scaled.knots())
        .with(FILL, fill == null ? null : fill.toString());
  }

  @Override
  public int width() {
    return scaled.width() + (fill == null ? 0 : 1);
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    try {
      Long known = cell.day();
      double day = known == null ? days(LocalDate.parse(cell.text(), formatter)) : known;
      return missing.contains(day) ? encodeMissing(row, at) : scaled.encode(day, row, at);
    } catch (DateTimeException e) {
      return CellFit.NO_DATE;
    }
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    if (fill == null) {
      return CellFit.MISSING;
    }
    scaled.encode(days(fill), row, at);
    return CellFit.filled(row, at + width() - 1);
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.day(column, format, scaled, fill == null ? null : days(fill), missing);
  }

  @Override
  public String toString() {
    return "DateType[min=%s, max=%s, format=%s, knots=%d, fill=%s%s]"
        .formatted(
            min,
            max,
            format,
            scaled.knots(),
            fill,
            missing.isEmpty() ? "" : ", missing=" + missing);
  }
}
