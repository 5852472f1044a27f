package io.mutune.accountant.ledger;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.Collection;

/** What charges come to. */
final class Charges {
  private Charges() {}

  /**
   * √Σμ² over all charges, each and the total rounded up.
   *
   * @throws IllegalArgumentException if a charge's mechanism has no finite μ
   */
  static GaussianDp compose(Collection<Charge> charges) {
    return GaussianDp.compose(
        charges.stream().map(charge -> GaussianDp.of(requireMu(charge))).toList());
  }

  private static Mu requireMu(Charge charge) {
    return charge
        .mechanism()
        .mu()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a budget in mu cannot hold '%s': its mechanism %s has no finite mu"
                        .formatted(charge.what(), charge.mechanism().name())));
  }
}
