package io.mutune.accountant.compare;

import io.mutune.accountant.compare.Answer.Bound;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One question and every accountant's answer.
 *
 * @param answers one of each accountant, in their order
 */
public record AccountantComparison(
    Releases releases, Query query, Map<Accountant, Answer> answers) {
  public AccountantComparison {
    Map<Accountant, Answer> ordered = new EnumMap<>(Accountant.class);
    ordered.putAll(answers);
    for (Accountant accountant : Accountant.values()) {
      if (!ordered.containsKey(accountant)) {
        throw new IllegalArgumentException("a comparison lacks " + accountant.key());
      }
    }
    answers = Collections.unmodifiableMap(ordered);
  }

  /** Asks them all. */
  public static AccountantComparison of(Releases releases, Query query) {
    Map<Accountant, Answer> answers = new EnumMap<>(Accountant.class);
    for (Accountant accountant : Accountant.values()) {
      answers.put(accountant, accountant.answer(releases, query));
    }
    return new AccountantComparison(releases, query, answers);
  }

  /**
   * What may be stated and the best known lower end, as {@link CombinedGuarantee#bound} has them.
   *
   * @throws IllegalStateException if the answers contradict each other, so that one must be wrong
   */
  public Bound guarantee() {
    return CombinedGuarantee.choose(releases, query, this::answer);
  }

  public Answer answer(Accountant accountant) {
    return Objects.requireNonNull(answers.get(accountant)); // the constructor lets none be missing
  }

  /** The first accountant with the smallest upper bound; empty if none says anything. */
  public Optional<Accountant> tightest() {
    Optional<Accountant> best = Optional.empty();
    double least = query.trivial();
    for (Map.Entry<Accountant, Answer> entry : answers.entrySet()) {
      if (entry.getValue() instanceof Bound bound && bound.upper() < least) {
        least = bound.upper();
        best = Optional.of(entry.getKey());
      }
    }
    return best;
  }
}
