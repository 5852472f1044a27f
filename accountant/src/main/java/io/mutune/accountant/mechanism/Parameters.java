package io.mutune.accountant.mechanism;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/** A mechanism's numbers as a ledger kept them, under the keys of its form. */
final class Parameters {
  private final Map<String, Number> values;

  Parameters(Map<String, ? extends Number> values) {
    this.values = new HashMap<>(values);
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
