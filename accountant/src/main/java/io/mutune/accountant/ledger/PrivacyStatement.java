package io.mutune.accountant.ledger;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a study protected and what that cost. How it reads on paper is decided elsewhere.
 *
 * @param why the reasons for a void guarantee; null for one that holds
 * @param unit what is protected, such as {@code one row of the private data}
 * @param epsilon the guarantee at {@link #delta}: of the plan, rounded up
 * @param mu the guarantee likewise; empty where a charge has no μ, and where ε is not of it
 * @param accountant by which ε was found; Gaussian DP, exactly, where all charges are Gaussian
 * @param whole the charges that the figure is of: the plan's, where not all were made
 * @param scoring how trials were compared, and what that read
 * @param noise where the noise came from, and whether it is secret
 * @param released what left the study
 * @param excluded what the guarantee does not cover
 */
public record PrivacyStatement(
    Guarantee guarantee,
    @Nullable String why,
    String unit,
    Budget budget,
    Epsilon epsilon,
    Optional<Mu> mu,
    Accountant accountant,
    List<Charge> charges,
    List<Charge> whole,
    String scoring,
    String noise,
    List<String> released,
    List<String> excluded) {

  /** Whether the stated (ε, δ) may be relied upon. */
  public enum Guarantee {
    HOLDS("holds"),
    VOID("void");

    private final String key;

    Guarantee(String key) {
      this.key = key;
    }

    /** The name in statements. */
    public String key() {
      return key;
    }
  }

  /** The name in statements of what the guarantee is: that of a plan fixed before any access. */
  public static final String KIND = "fixed-plan";

  public PrivacyStatement {
    charges = List.copyOf(charges);
    whole = List.copyOf(whole);
    released = List.copyOf(released);
    excluded = List.copyOf(excluded);
    requireText("unit", unit);
    requireText("scoring", scoring);
    requireText("noise", noise);
    if ((guarantee == Guarantee.VOID) != (why != null && !why.isBlank())) {
      throw new IllegalArgumentException(
          "a void guarantee says why, and no other does; was %s with why = %s"
              .formatted(guarantee.key(), why));
    }
    if (mu.isPresent()) {
      checkInMu(guarantee, budget, epsilon, mu.get(), charges);
    } else {
      checkTotal(guarantee, budget, epsilon, charges);
    }
  }

  /** The budget's, at which ε is stated. */
  public Delta delta() {
    return budget.delta();
  }

  private static void checkInMu(
      Guarantee guarantee, Budget budget, Epsilon epsilon, Mu mu, List<Charge> charges) {
    GaussianDp spent = Charges.compose(charges);
    requireAtLeast("mu", mu.value(), spent.mu().value());
    double least = spent.epsilon(budget.delta()).value();
    requireAtLeast("epsilon", epsilon.value(), least);
    if (guarantee == Guarantee.HOLDS && mu.value() > budget.cap().mu().value()) {
      throw new IllegalArgumentException(
          "no guarantee holds for mu = %s, which passes the budget's %s"
              .formatted(mu.value(), budget.cap().mu().value()));
    }
  }

  private static void checkTotal(
      Guarantee guarantee, Budget budget, Epsilon epsilon, List<Charge> charges) {
    double least = PlanTotal.of(budget, charges).epsilon().value();
    requireAtLeast("epsilon", epsilon.value(), least);
    if (guarantee == Guarantee.HOLDS && epsilon.value() > budget.epsilon().value()) {
      throw new IllegalArgumentException(
          "no guarantee holds for epsilon = %s, which passes the budget's %s"
              .formatted(epsilon.value(), budget.epsilon().value()));
    }
  }

  /**
   * The statement of a guarantee that holds, with the total of these charges, which were fixed
   * before any access. Where a charge has no μ, ε is the least bound of all accountants; so it is
   * where all are ε-DP and that is below what their μ says, as it is of one such release alone, and
   * where μ, which is only a bound for what is not Gaussian, passes the budget.
   *
   * @throws IllegalArgumentException if the charges pass the budget
   */
  public static PrivacyStatement of(
      Budget budget,
      List<Charge> charges,
      String unit,
      String scoring,
      String noise,
      List<String> released,
      List<String> excluded) {
    Optional<PlanTotal> total = PlanTotal.beyondMu(budget, charges);
    Epsilon epsilon;
    Optional<Mu> mu;
    Accountant accountant;
    if (total.isPresent()) {
      epsilon = total.get().epsilon();
      mu = Optional.empty();
      accountant = total.get().accountant();
    } else {
      Balance balance = Balance.of(budget, charges);
      epsilon = balance.epsilonSpent();
      mu = Optional.of(balance.spent().mu());
      accountant = Accountant.GDP;
    }
    return new PrivacyStatement(
        Guarantee.HOLDS,
        null,
        unit,
        budget,
        epsilon,
        mu,
        accountant,
        charges,
        charges,
        scoring,
        noise,
        released,
        excluded);
  }

  /**
   * The same statement of at least this μ, with its ε: what a plan may cost, where what was spent
   * is chosen on the way and is less by rounding. One that says no μ says what it said.
   *
   * @throws IllegalArgumentException if the budget does not cover it
   */
  public PrivacyStatement atLeast(Mu planned) {
    if (mu.isEmpty() || mu.get().value() >= planned.value()) {
      return this;
    }
    // Of two μ that are an ulp apart, the search for ε may end an ulp lower for the larger one.
    double least = GaussianDp.of(planned).epsilon(delta()).value();
    return with(
        guarantee,
        why,
        Epsilon.of(Math.max(epsilon.value(), least)),
        Optional.of(planned),
        charges);
  }

  /**
   * The same statement with the charges that were made of the plan that it states. Its figure stays
   * that of the plan: who stops a study may do so because of what it has released.
   */
  public PrivacyStatement withMade(List<Charge> made) {
    if (made.equals(charges)) {
      return this;
    }
    // By rounding, or by another grid, a part may be bounded an ulp above the whole.
    Epsilon least =
        mu.isPresent()
            ? Charges.compose(made).epsilon(delta())
            : PlanTotal.of(budget, made).epsilon();
    return with(guarantee, why, Epsilon.of(Math.max(epsilon.value(), least.value())), mu, made);
  }

  /** The same statement with a guarantee that does not hold; earlier reasons are kept. */
  public PrivacyStatement withVoid(String reason) {
    requireText("the reason", reason);
    String all = why == null ? reason : why + "; " + reason;
    return with(Guarantee.VOID, all, epsilon, mu, charges);
  }

  private PrivacyStatement with(
      Guarantee given,
      @Nullable String because,
      Epsilon stated,
      Optional<Mu> ofMu,
      List<Charge> listed) {
    return new PrivacyStatement(
        given,
        because,
        unit,
        budget,
        stated,
        ofMu,
        accountant,
        listed,
        whole,
        scoring,
        noise,
        released,
        excluded);
  }

  /** What it states at its own δ, at these and at the usual ones. */
  public PrivacyProfile profile(Collection<Delta> deltas) {
    List<Delta> all = new ArrayList<>(deltas);
    all.add(delta());
    PrivacyProfile profile =
        mu.isPresent()
            ? PrivacyProfile.of(ApproximateGaussianDp.of(GaussianDp.of(mu.get())), all)
            : PrivacyProfile.of(PlanTotal.releases(budget, whole), all);
    return profile.with(new PrivacyProfile.At(delta(), Optional.of(epsilon)));
  }

  private static void requireText(String name, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank");
    }
  }

  private static void requireAtLeast(String name, double stated, double least) {
    if (stated < least) {
      throw new IllegalArgumentException(
          "%s must be at least the %s of the charges; was %s".formatted(name, least, stated));
    }
  }
}
