package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** A mechanism's numbers as a ledger kept them: exactly the keys of its form, no more, no fewer. */
final class Parameters {
  private final Map<String, Number> values;

  private Parameters(Map<String, Number> values) {
    this.values = values;
  }

  static Parameters of(String name, Map<String, ? extends Number> values, String... keys) {
    if (!values.keySet().equals(Set.of(keys))) {
      throw new IllegalArgumentException(
          "the mechanism %s has the parameters %s; had %s"
              .formatted(name, List.of(keys), values.keySet()));
    }
    return new Parameters(new HashMap<>(values));
  }

  /** A mechanism that is so many releases of an ε and nothing else. */
  static <M extends PureMechanism> M releases(
      String name, Map<String, ? extends Number> values, BiFunction<Epsilon, Long, M> make) {
    Parameters read = of(name, values, "epsilon", "count");
    return make.apply(Epsilon.of(read.number("epsilon")), read.whole("count"));
  }

  double number(String key) {
    return value(key).doubleValue();
  }

  /** A count cut to a whole number would be charged below its cost. */
  long whole(String key) {
    Number count = value(key);
    try {
      return new BigDecimal(count.toString()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(key + " must be a whole number; was " + count, e);
    }
  }

  private Number value(String key) {
    Number value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " has no value");
    }
    return value;
  }
}
