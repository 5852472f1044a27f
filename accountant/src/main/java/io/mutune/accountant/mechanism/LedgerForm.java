package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How ledgers keep one kind of mechanism, or one law of trials: by a name, and numbers under these
 * keys in this order.
 *
 * @param reader makes it from the numbers that a ledger has
 */
record LedgerForm<T>(String name, List<String> keys, Function<Parameters, T> reader) {
  LedgerForm {
    keys = List.copyOf(keys);
  }

  /** Of what is so many releases of an ε and nothing else. */
  static <M extends PureMechanism> LedgerForm<M> ofReleases(
      String name, BiFunction<Epsilon, Long, M> make) {
    return new LedgerForm<>(
        name,
        List.of("epsilon", "count"),
        read -> make.apply(Epsilon.of(read.number("epsilon")), read.whole("count")));
  }

  /** The numbers under the keys. */
  Map<String, Number> write(Number... numbers) {
    if (numbers.length != keys.size()) {
      throw new IllegalArgumentException(
          "%s has the parameters %s; had %s numbers".formatted(name, keys, numbers.length));
    }
    Map<String, Number> parameters = new LinkedHashMap<>();
    for (int i = 0; i < numbers.length; i++) {
      parameters.put(keys.get(i), numbers[i]);
    }
    return parameters;
  }

  /**
   * What has these numbers.
   *
   * @throws IllegalArgumentException if one is missing, unknown or out of range
   */
  T read(Map<String, ? extends Number> numbers) {
    if (!numbers.keySet().equals(Set.copyOf(keys))) {
      throw new IllegalArgumentException(
          "the mechanism %s has the parameters %s; had %s".formatted(name, keys, numbers.keySet()));
    }
    return reader.apply(new Parameters(numbers));
  }
}
