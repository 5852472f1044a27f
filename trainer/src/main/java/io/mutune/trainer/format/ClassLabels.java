package io.mutune.trainer.format;

import io.mutune.trainer.table.DecimalText;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberOutput;

/**
 * The classes that a label may name: a public statement of the sweep, never learned from rows.
 *
 * @param names the label of each class index, as files write it; at least two, no two equal, not
 *     even as numbers
 */
public record ClassLabels(List<String> names) implements Labelling {
  /** Nobody numbers classes with more; parsing takes time that grows faster than the text. */
  private static final int MAX_DIGITS = 40;

  private static final int MOST_NAMED = 10;

  public ClassLabels {
    names = names.stream().map(String::strip).toList();
    if (names.size() < 2) {
      throw new IllegalArgumentException("there must be at least 2 classes; had " + names.size());
    }
    Set<Object> seen = new HashSet<>();
    for (String name : names) {
      BigDecimal number = number(name);
      if (name.isEmpty() || !seen.add(number == null ? name : number)) {
        throw new IllegalArgumentException(
            "class labels must be distinct and not empty; '" + name + "' is not");
      }
    }
  }

  /** The labels {@code 0} to {@code count - 1}. */
  public static ClassLabels of(int count) {
    return new ClassLabels(IntStream.range(0, count).mapToObj(Integer::toString).toList());
  }

  @Override
  public int size() {
    return names.size();
  }

  /** A count of classes is what most easily says something else than was meant. */
  @Override
  public String allowed() {
    if (names.equals(of(size()).names)) {
      return ": %d classes are the labels 0 to %d".formatted(size(), size() - 1);
    }
    return size() <= MOST_NAMED ? ": these are " + String.join(", ", names) : "";
  }

  /** The class of that label; numbers compare as numbers, so that {@code +1} is {@code 1.0}. */
  @Override
  public OptionalInt codeOf(String text) {
    String label = text.strip();
    int index = names.indexOf(label);
    return index >= 0 ? OptionalInt.of(index) : indexOfNumber(number(label));
  }

  /**
   * A number is the class of that value, or else of the shortest text that stands for it as a
   * double, or as a float if it is one: no binary number is the class {@code 0.1} itself.
   */
  @Override
  public OptionalInt codeOf(double number) {
    if (!Double.isFinite(number)) {
      return OptionalInt.empty();
    }
    OptionalInt exact = indexOfNumber(new BigDecimal(number));
    if (exact.isPresent()) {
      return exact;
    }
    float single = (float) number;
    double written = single == number ? DecimalText.ofFloat(single) : number;
    return indexOfNumber(number(NumberOutput.toString(written, true)));
  }

  private OptionalInt indexOfNumber(@Nullable BigDecimal label) {
    if (label == null) {
      return OptionalInt.empty();
    }
    return IntStream.range(0, names.size())
        .filter(
            index -> {
              BigDecimal name = number(names.get(index));
              return name != null && name.compareTo(label) == 0;
            })
        .findFirst();
  }

  private static @Nullable BigDecimal number(String text) {
    try {
      boolean isNumber = text.length() <= MAX_DIGITS && DecimalText.isPlain(text);
      return isNumber ? new BigDecimal(text).stripTrailingZeros() : null;
    } catch (ArithmeticException | NumberFormatException e) {
      return null; // the former of an exponent beyond all
    }
  }
}
