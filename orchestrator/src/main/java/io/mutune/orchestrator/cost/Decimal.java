package io.mutune.orchestrator.cost;

import java.math.BigDecimal;

/**
 * A number exactly as it was written, to be rounded to a double in a stated direction: 0.3 is not a
 * double, and noise taken as the next larger one would be charged below its cost.
 *
 * @param text as written
 * @param exact its value; 0 where it is infinite
 * @param infinite written as {@code inf}
 */
public record Decimal(String text, BigDecimal exact, boolean infinite) {
  private static final int LONGEST = 1000;

  /**
   * Reads a decimal such as 1e-5, or {@code inf}.
   *
   * @param name what the number is, for the error
   * @throws IllegalArgumentException if it is neither
   */
  public static Decimal of(String name, String text) {
    String trimmed = text.strip();
    if (trimmed.matches("(?i)[+]?inf(inity)?")) {
      return new Decimal(trimmed, BigDecimal.ZERO, true);
    }
    try {
      if (trimmed.length() <= LONGEST) {
        return new Decimal(trimmed, new BigDecimal(trimmed), false);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "%s must be a number; was %s".formatted(name, shortened(trimmed)));
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? "'" + text + "'" : "'" + text.substring(0, 40) + "...'";
  }

  /** The largest double that is not above it. */
  public double down() {
    double nearest = nearest();
    return compare(nearest) > 0 ? Math.nextDown(nearest) : nearest;
  }

  /** The smallest double that is not below it. */
  public double up() {
    double nearest = nearest();
    return compare(nearest) < 0 ? Math.nextUp(nearest) : nearest;
  }

  public double nearest() {
    return infinite ? Double.POSITIVE_INFINITY : exact.doubleValue();
  }

  /** Whether both are the same number, however they are written. */
  boolean equalsExactly(Decimal other) {
    return infinite == other.infinite && exact.compareTo(other.exact) == 0;
  }

  /** The sign of {@code rounded} less the number. */
  private int compare(double rounded) {
    if (infinite || Double.isInfinite(rounded)) {
      return infinite ? 0 : rounded > 0 ? 1 : -1;
    }
    return new BigDecimal(rounded).compareTo(exact);
  }

  /**
   * A count.
   *
   * @throws IllegalArgumentException if it is no whole number or below 1
   */
  public long count(String name) {
    if (!infinite) {
      try {
        long count = exact.longValueExact();
        if (count >= 1) {
          return count;
        }
      } catch (ArithmeticException e) {
        // Said below.
      }
    }
    throw new IllegalArgumentException(
        "%s must be a whole number, at least 1 and below 2^63; was %s".formatted(name, text));
  }

  /**
   * A δ to be spent, rounded down.
   *
   * @throws IllegalArgumentException if it is below 0 or not below 1
   */
  public double delta(String name) {
    if (infinite || exact.signum() < 0 || exact.compareTo(BigDecimal.ONE) >= 0) {
      throw new IllegalArgumentException(
          "%s must be at least 0 and below 1; was %s".formatted(name, text));
    }
    return down();
  }

  /**
   * That it is above 0 and finite, as a rounded double is.
   *
   * @throws IllegalArgumentException if it is not
   */
  public Decimal positive(String name) {
    if (infinite || exact.signum() <= 0) {
      throw new IllegalArgumentException(
          "%s must be finite and above 0; was %s".formatted(name, text));
    }
    return this;
  }

  /**
   * That it is at least 0 and finite.
   *
   * @throws IllegalArgumentException if it is not
   */
  public Decimal notNegative(String name) {
    if (infinite || exact.signum() < 0) {
      throw new IllegalArgumentException(
          "%s must be finite and at least 0; was %s".formatted(name, text));
    }
    return this;
  }

  /**
   * A sampling rate, rounded up.
   *
   * @throws IllegalArgumentException if it is not above 0 or is above 1
   */
  public double rate(String name) {
    if (infinite || exact.signum() <= 0 || exact.compareTo(BigDecimal.ONE) > 0) {
      throw new IllegalArgumentException(
          "%s, the sampling rate, must be above 0 and at most 1; was %s".formatted(name, text));
    }
    return up();
  }

  @Override
  public String toString() {
    return text;
  }
}
