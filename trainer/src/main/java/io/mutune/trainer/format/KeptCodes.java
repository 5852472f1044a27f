package io.mutune.trainer.format;

import java.util.OptionalInt;

/**
 * Labels that are written as their codes, of rows that were read before and are kept with what maps
 * made of them: their features may be any numbers, be they infinite or none. What is no code is no
 * label.
 *
 * @param size as {@link Labelling#size} says it
 */
public record KeptCodes(int size) implements Labelling {
  @Override
  public OptionalInt codeOf(String text) {
    throw new UnsupportedOperationException("codes are kept as numbers");
  }

  @Override
  public OptionalInt codeOf(double number) {
    boolean isCode =
        size == REAL ? Math.abs(number) <= TargetRange.ONE : number >= 0 && number < size;
    return isCode ? OptionalInt.of((int) number) : OptionalInt.empty();
  }
}
