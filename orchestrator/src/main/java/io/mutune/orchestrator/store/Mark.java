package io.mutune.orchestrator.store;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far a ledger has come, as a witness keeps it.
 *
 * @param name "study" or "account" and which
 * @param head the hash of that entry
 * @param mu all that is charged, or held, by then, rounded up; "unknown" where no μ says it; empty
 *     where it is what it was before
 */
record Mark(String name, long entries, String head, Optional<String> mu) {
  static final String UNKNOWN = "unknown";

  static Mark ofStudy(String study, long entries, String head, Optional<String> mu) {
    return new Mark("study " + study, entries, head, mu);
  }

  static Mark ofAccount(String account, long entries, String head, GaussianDp held) {
    String mu = Double.toString(held.mu().value());
    return new Mark("account " + account, entries, head, Optional.of(mu));
  }

  boolean isStudy() {
    return name.startsWith("study ");
  }

  /** Which study or account. */
  String of() {
    return name.replaceFirst(".* ", "");
  }

  /** After another entry of the same ledger. */
  Mark then(Mark later) {
    return new Mark(name, later.entries, later.head, later.mu.or(this::mu));
  }

  /** What charges cost together. */
  static String cost(List<Charge> charges) {
    List<GaussianDp> costs = new ArrayList<>();
    for (Charge charge : charges) {
      Optional<Mu> mu = charge.mechanism().mu();
      if (mu.isEmpty()) {
        return UNKNOWN;
      }
      costs.add(GaussianDp.of(mu.get()));
    }
    return Double.toString(GaussianDp.compose(costs).mu().value());
  }
}
