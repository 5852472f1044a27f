package io.mutune.trainer.format;

import java.util.OptionalInt;

/** Targets that are written as their codes of {@link TargetRange}; what is no code is no target. */
public record TargetCodes() implements Labelling {
  @Override
  public OptionalInt codeOf(String text) {
    throw new UnsupportedOperationException("codes are kept as numbers");
  }

  @Override
  public OptionalInt codeOf(double number) {
    return Math.abs(number) <= TargetRange.ONE ? OptionalInt.of((int) number) : OptionalInt.empty();
  }

  @Override
  public int size() {
    return REAL;
  }
}
