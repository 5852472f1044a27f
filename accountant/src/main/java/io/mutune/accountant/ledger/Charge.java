package io.mutune.accountant.ledger;

import io.mutune.accountant.mechanism.Mechanism;
import java.util.Objects;

/**
 * One entry of a ledger: what is asked of the private rows, and the mechanism that answers.
 *
 * @param what which question of the study this is, such as {@code trial 2} or {@code final}; public
 */
public record Charge(String what, Mechanism mechanism) {
  public Charge {
    Objects.requireNonNull(mechanism, "mechanism");
    if (what.isBlank()) {
      throw new IllegalArgumentException("a charge must say what it is for");
    }
  }
}
