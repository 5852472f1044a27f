package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.List;
import java.util.Map;

/**
 * {@code count} adaptive releases of numbers, each of L1 sensitivity {@code sensitivity} with noise
 * of density exp(−|x|/b)/(2b) on every coordinate.
 *
 * @param scale b, in the unit in which the sensitivity is given; finite and above 0
 * @param sensitivity finite and above 0
 * @param count at least 1
 */
public record Laplace(double scale, double sensitivity, long count) implements PureMechanism {
  static final LedgerForm<Laplace> FORM =
      new LedgerForm<>(
          "laplace",
          List.of("scale", "sensitivity", "count"),
          read ->
              new Laplace(read.number("scale"), read.number("sensitivity"), read.whole("count")));

  public Laplace {
    Require.positive("scale", scale);
    Require.positive("sensitivity", sensitivity);
    Require.count(count);
    // Refuses what has no finite ε.
    Epsilon.of(Require.quotientUp(sensitivity, scale));
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(scale, sensitivity, count);
  }

  /** sensitivity/scale, rounded up. */
  @Override
  public Epsilon epsilon() {
    return Epsilon.of(Require.quotientUp(sensitivity, scale));
  }
}
