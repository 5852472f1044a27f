package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import java.util.Arrays;
import java.util.Optional;

/** The ways to compose privacy losses, in the order in which comparisons list them. */
public enum Accountant implements AccountingMethod {
  /** Gaussian DP: exact for Gaussians, an upper bound for what has a finite μ. */
  GDP("gdp"),
  /** Privacy loss distributions: an interval by numerical composition. */
  PLD("pld"),
  /** Rényi DP at the best real order. */
  RDP("rdp"),
  /** Zero-concentrated DP, at the best real order. */
  ZCDP("zcdp"),
  /** Advanced composition of each release's own (ε, δ). */
  ADVANCED("advanced"),
  /** Basic composition: each release's own ε and δ added up. */
  BASIC("basic");

  private final String key;

  Accountant(String key) {
    this.key = key;
  }

  private Rule rule() {
    return switch (this) {
      case GDP -> new GaussianRule();
      case PLD -> new LossDistributionRule();
      case RDP -> new RenyiRule();
      case ZCDP -> new ConcentratedRule();
      case ADVANCED -> new AdvancedRule();
      case BASIC -> new BasicRule();
    };
  }

  @Override
  public String key() {
    return key;
  }

  public static Optional<Accountant> ofKey(String key) {
    return Arrays.stream(values()).filter(a -> a.key.equals(key)).findFirst();
  }

  @Override
  public Answer answer(Releases releases, Query query) {
    return Rule.answer(rule(), releases, query);
  }

  @Override
  public double excess(Releases releases, Epsilon epsilon, Delta delta) {
    return rule().excess(releases, epsilon, delta);
  }
}
