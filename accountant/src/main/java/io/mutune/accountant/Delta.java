package io.mutune.accountant;

/**
 * The δ of (ε, δ)-differential privacy.
 *
 * @param value in [0, 1]; a budget's δ lies strictly between, and what asks for that says so
 */
public record Delta(double value) {
  public Delta {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("delta must be in [0, 1]; was " + value);
    }
  }

  public static Delta of(double value) {
    return new Delta(value);
  }
}
