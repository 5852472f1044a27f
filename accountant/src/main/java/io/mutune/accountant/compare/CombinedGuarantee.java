package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import java.util.List;
import java.util.function.Function;

/**
 * What may be stated: the closed form where it is exact, and otherwise the smallest upper bound of
 * all accountants, above the largest lower one. Each accountant's bound holds for the plan, so that
 * choosing among them reads nothing.
 */
public enum CombinedGuarantee implements AccountingMethod {
  /** The only one. */
  GUARANTEE;

  /** How far rounding may push a lower end above another accountant's upper one, relatively. */
  private static final double ROUNDING = 1e-9;

  /** Further from a budget's edge than the accountants are apart where they agree. */
  private static final double WELL_BELOW = -0.01;

  /** The dearest last. */
  private static final List<Accountant> BY_COST =
      List.of(
          Accountant.GDP,
          Accountant.ZCDP,
          Accountant.BASIC,
          Accountant.ADVANCED,
          Accountant.RDP,
          Accountant.PLD);

  @Override
  public String key() {
    return "guarantee";
  }

  /** Always a {@link Bound}. */
  @Override
  public Answer answer(Releases releases, Query query) {
    return bound(releases, query);
  }

  /** Where the truth is: what may be stated is the upper end. */
  public Bound bound(Releases releases, Query query) {
    return choose(releases, query, accountant -> accountant.answer(releases, query));
  }

  /** The same from answers that are known or computed when asked for. */
  static Bound choose(Releases releases, Query query, Function<Accountant, Answer> answers) {
    List<Accountant> asked = releases.areGaussian() ? List.of(Accountant.GDP) : BY_COST;
    double lower = 0;
    double upper = query.trivial();
    for (Accountant accountant : asked) {
      if (answers.apply(accountant) instanceof Bound bound) {
        lower = Math.max(lower, bound.lower());
        upper = Math.min(upper, bound.upper());
      }
    }
    if (lower > upper * (1 + ROUNDING)) {
      throw new IllegalStateException(
          "the accountants contradict each other: one has at least %s, another at most %s"
              .formatted(lower, upper));
    }
    return new Bound(Math.min(lower, upper), upper);
  }

  /**
   * The least of the accountants'. One that is well below the budget is answer enough: the others,
   * the dear ones last, are asked only where the edge is near or passed.
   */
  @Override
  public double excess(Releases releases, Epsilon epsilon, Delta delta) {
    if (releases.areGaussian()) {
      return Accountant.GDP.excess(releases, epsilon, delta);
    }
    double least = Double.POSITIVE_INFINITY;
    for (Accountant accountant : BY_COST) {
      least = Math.min(least, accountant.excess(releases, epsilon, delta));
      if (least < WELL_BELOW) {
        return least;
      }
    }
    return least;
  }

  /** Whether any accountant knows it; the cheap ones are asked first. */
  @Override
  public boolean keeps(Releases releases, Epsilon epsilon, Delta delta) {
    return releases.areGaussian()
        ? Accountant.GDP.keeps(releases, epsilon, delta)
        : BY_COST.stream().anyMatch(a -> a.keeps(releases, epsilon, delta));
  }
}
