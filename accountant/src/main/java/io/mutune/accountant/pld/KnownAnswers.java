package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * The last answers of this process. A plan, its statement, its report and its audit ask the same of
 * the same releases, and one composition takes up to a second; all of it follows from public
 * numbers, bit for bit.
 */
final class KnownAnswers {
  /** Several times what one study asks: the steps of a calibration, and its statement. */
  private static final int MOST = 512;

  /** Longer lists of releases would be held in memory, and are asked about once. */
  private static final int LONGEST = 64;

  private static final Map<Question, Double> KNOWN = Collections.synchronizedMap(leastUsedLast());

  private KnownAnswers() {}

  /** What is asked of releases at a δ or an ε. */
  enum Kind {
    EPSILON,
    EPSILON_AT_MOST,
    DELTA,
    DELTA_AT_MOST
  }

  /** Mechanisms in this order, since sums are rounded in it. */
  record Question(List<Mechanism> releases, Adjacency adjacency, Kind kind, double at) {}

  /** The answer that is known, or the one that is computed now. */
  static double of(Question question, DoubleSupplier computed) {
    if (question.releases().size() > LONGEST) {
      return computed.getAsDouble();
    }
    Double known = KNOWN.get(question);
    if (known == null) {
      known = computed.getAsDouble();
      KNOWN.put(question, known);
    }
    return known;
  }

  @SuppressWarnings("serial") // never written
  private static Map<Question, Double> leastUsedLast() {
    return new LinkedHashMap<>(MOST, 1, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Question, Double> eldest) {
        return size() > MOST;
      }
    };
  }
}
