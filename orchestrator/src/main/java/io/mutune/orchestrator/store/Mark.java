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
 * @param of which study or account
 * @param head the hash of the last entry
 * @param mu all that is charged, or held, by then, rounded up; "unknown" where a charge has no μ;
 *     empty where it is the same as before
 */
record Mark(LedgerTable table, String of, long entries, String head, Optional<String> mu) {
  static final String UNKNOWN = "unknown";

  /** Returns "study" or "account" and which. */
  String name() {
    return table.word() + " " + of;
  }

  /** Joins this with the mark of a later entry of the same ledger. */
  Mark then(Mark later) {
    return new Mark(table, of, later.entries, later.head, later.mu.or(this::mu));
  }

  /** Returns what charges cost together. */
  static String cost(List<Charge> charges) {
    return inMu(charges).map(cost -> Double.toString(cost.mu().value())).orElse(UNKNOWN);
  }

  /** Returns it in μ; empty where a charge has none. */
  static Optional<GaussianDp> inMu(List<Charge> charges) {
    List<GaussianDp> costs = new ArrayList<>();
    for (Charge charge : charges) {
      Optional<Mu> mu = charge.mechanism().mu();
      if (mu.isEmpty()) {
        return Optional.empty();
      }
      costs.add(GaussianDp.of(mu.get()));
    }
    return Optional.of(GaussianDp.compose(costs));
  }
}
