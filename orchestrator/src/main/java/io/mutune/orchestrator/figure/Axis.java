package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.display.DisplayNumber;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * One axis, from a round number at or below its values to one at or above them.
 *
 * @param min above 0 on a logarithmic axis
 * @param max above min
 * @param step between ticks of a linear axis; of no meaning on others
 * @param percent whether numbers are shown as per cent
 * @param cost whether they are costs, which are rounded up where one of them is shown
 */
public record Axis(
    String name, Scale scale, boolean percent, boolean cost, double min, double max, double step) {
  private static final int PARTS = 5;

  /** How values are spread. */
  enum Scale {
    LINEAR,
    LOG,
    /** Linear, over whole numbers. */
    WHOLE
  }

  public Axis {
    boolean bounds = Double.isFinite(min) && Double.isFinite(max) && min < max;
    if (!bounds || !(step > 0) || (scale == Scale.LOG && min <= 0)) {
      throw new IllegalArgumentException(name + " goes from " + min + " to " + max);
    }
  }

  /** Around finite values, one at least. */
  public static Axis linear(String name, double... values) {
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    // Values that differ by rounding alone are drawn as equal ones are.
    boolean apart = high - low > 1e-9 * Math.max(Math.abs(high), Math.abs(low));
    double width = apart ? high - low : Math.max(Math.abs(high), 1) / PARTS;
    double step = round(width / PARTS, false);
    double first = Math.floor((low - width / 50) / step) * step;
    double last = Math.ceil((high + width / 50) / step) * step;
    return new Axis(
        name, Scale.LINEAR, false, false, low >= 0 ? Math.max(0, first) : first, last, step);
  }

  /** Around values above 0, from and to 1, 2 or 5 times a power of ten. */
  public static Axis log(String name, double... values) {
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    return new Axis(
        name, Scale.LOG, false, false, round(low / 1.1, true), round(high * 1.1, false), 1);
  }

  /** Logarithmic where the values are spread over more than this ratio. */
  public static Axis fitting(String name, double ratio, double... values) {
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    return low > 0 && high / low > ratio ? log(name, values) : linear(name, values);
  }

  /** From 0 to one more than the last of some things that are numbered from 1. */
  public static Axis counting(String name, int last) {
    return new Axis(name, Scale.WHOLE, false, false, 0, last + 1.0, 1);
  }

  /** From 0 to this. */
  public static Axis upTo(String name, double most) {
    return new Axis(name, Scale.LINEAR, false, false, 0, most, round(most / PARTS, false));
  }

  public Axis inPercent() {
    return new Axis(name, scale, true, cost, min, max, step);
  }

  /** The same in per cent where its values are shares. */
  public Axis inPercent(boolean shares) {
    return shares ? inPercent() : this;
  }

  /** Of ε or μ. */
  public Axis ofCosts() {
    return new Axis(name, scale, percent, true, min, max, step);
  }

  public boolean holds(double value) {
    return value >= min && value <= max;
  }

  /** Where a value lies, 0 at the beginning and 1 at the end. */
  public double share(double value) {
    return scale == Scale.LOG
        ? Math.log(value / min) / Math.log(max / min)
        : (value - min) / (max - min);
  }

  /** The value at such a share. */
  public double at(double share) {
    return scale == Scale.LOG ? min * Math.pow(max / min, share) : min + share * (max - min);
  }

  /** Where it has marks; of a logarithmic one its ends. */
  public double[] ticks() {
    return scale == Scale.LOG
        ? new double[] {min, max}
        : LongStream.rangeClosed(Math.round(min / step), Math.round(max / step))
            .mapToDouble(n -> n * step)
            .filter(this::holds)
            .toArray();
  }

  public String shown(double value) {
    return percent ? DisplayNumber.value(100 * value) + "%" : DisplayNumber.value(value);
  }

  /** The nearest of 1, 2 and 5 times a power of ten that is not above, or not below. */
  private static double round(double value, boolean down) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    // What was meant as a round number may be off by its last bits.
    double lead = Math.round(value / power * 1e9) / 1e9;
    if (down) {
      return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
    }
    return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
  }
}
