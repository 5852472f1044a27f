package io.mutune.orchestrator.cost;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Releases;
import java.util.Optional;

/**
 * What releases cost together: their smallest ε at a δ, or their smallest δ at an ε.
 *
 * @param by the accountant to use; empty for the tightest that applies
 * @param compare whether the answers of all others are wanted too
 */
public record CostQuestion(
    Releases releases, DecimalQuery query, Optional<Accountant> by, boolean compare) {
  private static final String NONE = "none";

  /**
   * Computes the cost.
   *
   * @throws IllegalArgumentException if the accountant that was named does not apply
   */
  public Cost answer() {
    if (!compare && by.isEmpty() && releases.areGaussian()) {
      // Exact, and so the tightest: the other accountants are not needed.
      if (Accountant.GDP.answer(releases, query.rounded()) instanceof Bound bound) {
        return new Cost(this, bound, Accountant.GDP.key(), Optional.empty());
      }
    }
    if (compare || by.isEmpty()) {
      AccountantComparison comparison = AccountantComparison.of(releases, query.rounded());
      Cost cost =
          by.isPresent()
              ? named(by.get(), comparison.answer(by.get()))
              : new Cost(this, comparison.guarantee(), name(comparison), Optional.empty());
      return compare ? cost.with(comparison) : cost;
    }
    return named(by.get(), by.get().answer(releases, query.rounded()));
  }

  private Cost named(Accountant accountant, Answer answer) {
    if (answer instanceof NotApplicable none) {
      throw new IllegalArgumentException(
          "the accountant %s does not apply: %s".formatted(accountant.key(), none.reason()));
    }
    if (answer instanceof Bound bound) {
      return new Cost(this, bound, accountant.key(), Optional.empty());
    }
    throw new IllegalStateException("an unknown answer: " + answer);
  }

  /** The tightest accountant; where no bound is finite, one that proves that none can be. */
  private static String name(AccountantComparison comparison) {
    return comparison
        .tightest()
        .or(
            () ->
                comparison.answers().entrySet().stream()
                    .filter(
                        e ->
                            e.getValue() instanceof Bound b
                                && b.lower() == comparison.query().trivial())
                    .map(e -> e.getKey())
                    .findFirst())
        .map(Accountant::key)
        .orElse(NONE);
  }
}
