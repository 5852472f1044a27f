package io.mutune.trainer.noise;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;

/** Holds together the noise that is charged and the noise that is used. */
public final class ChargedNoise {
  private ChargedNoise() {}

  /**
   * Called before the first private row is read.
   *
   * @throws IllegalStateException if the durable charge is for another mechanism than {@code used}
   */
  public static void require(ReservedCharge proof, Mechanism used) {
    Mechanism charged = proof.charge().mechanism();
    if (!charged.equals(used)) {
      throw new IllegalStateException(
          "'%s' is charged as %s but would run as %s"
              .formatted(proof.charge().what(), charged, used));
    }
  }
}
