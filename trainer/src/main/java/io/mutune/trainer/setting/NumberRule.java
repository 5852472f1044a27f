package io.mutune.trainer.setting;

import io.mutune.accountant.PrintedNumber;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a number must satisfy.
 *
 * @param text completes "must be …"
 * @param least lower end of the range, part of it unless {@code aboveLeast}
 * @param most upper end of the range, part of it unless {@code belowMost}
 * @param whole whether only whole numbers are allowed
 */
public record NumberRule(
    String text, double least, boolean aboveLeast, double most, boolean belowMost, boolean whole) {
  /** Wide enough for any study, narrow enough that no σ, radius or rate leaves the doubles. */
  public static final NumberRule EPSILON = fromTo(1e-6, 1e6);

  /** Of a learning rate, a radius or a ν; the same reason. */
  public static final NumberRule HYPERPARAMETER = fromTo(1e-9, 1e9);

  /** Of a class weight, of which the ratios matter: float32 holds each with all its digits. */
  public static final NumberRule CLASS_WEIGHT = fromTo(1e-9, 1e9);

  /** Of how often something is, as its share of all. */
  public static final NumberRule FREQUENCY = fromTo(1e-9, 1);

  /** Of a clip norm: where float32 sums of clipped gradients stay sound. */
  public static final NumberRule CLIP_NORM = fromTo(1e-30, 1e30);

  /** Of a weight decay and the like. */
  public static final NumberRule NOT_NEGATIVE = fromTo(0, 1e9);

  /** Of a decay rate. */
  public static final NumberRule BELOW_ONE = halfOpen(0, 1);

  /** Of a share, such as a sampling rate. */
  public static final NumberRule SHARE = above(0, 1);

  /** Of a quantile. */
  public static final NumberRule INSIDE_UNIT =
      new NumberRule("above 0 and below 1", 0, true, 1, true, false);

  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\d[\\d_]*(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");

  /** Whether a number is finite and in the range. */
  public boolean holds(double value) {
    return Double.isFinite(value)
        && (aboveLeast ? value > least : value >= least)
        && (belowMost ? value < most : value <= most)
        && (!whole || value == Math.rint(value));
  }

  /** The number that a text writes; empty where it writes none, or none in the range. */
  public Optional<Double> read(String text) {
    return decimal(text).filter(this::holds);
  }

  /**
   * The number that a text writes in decimal notation; Java's own parser would take {@code 0x1p-3}
   * and {@code 1f} too. As in YAML 1.1 digits may have underscores between them.
   */
  public static Optional<Double> decimal(String text) {
    return DECIMAL.matcher(text).matches()
        ? Optional.of(Double.valueOf(text.replace("_", "")))
        : Optional.empty();
  }

  /** Both ends included. */
  public static NumberRule fromTo(double least, double most) {
    return new NumberRule(
        "from " + plain(least) + " to " + plain(most), least, false, most, false, false);
  }

  /** At least least, and below most. */
  public static NumberRule halfOpen(double least, double most) {
    return new NumberRule(
        "at least " + plain(least) + " and below " + plain(most), least, false, most, true, false);
  }

  /** Above least, and at most most. */
  public static NumberRule above(double least, double most) {
    return new NumberRule(
        "above " + plain(least) + " and at most " + plain(most), least, true, most, false, false);
  }

  /** Above 0 and below a number, which the text writes in its own way. */
  public static NumberRule below(double most, String written) {
    return new NumberRule("above 0 and below " + written, 0, true, most, true, false);
  }

  /** Whole numbers, both ends included; the ends are below 2⁵³, so that a double holds them. */
  public static NumberRule whole(long least, long most) {
    String text =
        least == most ? Long.toString(least) : "a whole number from " + least + " to " + most;
    return new NumberRule(text, least, false, most, false, true);
  }

  private static String plain(double value) {
    return PrintedNumber.up(value, 6);
  }
}
