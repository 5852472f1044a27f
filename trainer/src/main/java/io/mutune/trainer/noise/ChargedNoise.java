package io.mutune.trainer.noise;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.Optional;

/** Holds together the noise that is charged and the noise that is used. */
public final class ChargedNoise {
  private ChargedNoise() {}

  /**
   * The same, and that sums are rounded if and only if the charge was made for rounded ones.
   *
   * @param allowed the grid whose rounding is part of the sensitivity of {@code used}
   * @throws IllegalStateException if the noise is on another grid, on one that nothing allowed for,
   *     or on none
   */
  public static void require(
      ReservedCharge proof, Mechanism used, NoiseSource noise, Optional<Grid> allowed) {
    require(proof, used);
    if (!noise.grid().equals(allowed)) {
      throw new IllegalStateException(
          "'%s' is charged for %s but its noise rounds to %s"
              .formatted(proof.charge().what(), shown(allowed), shown(noise.grid())));
    }
  }

  private static String shown(Optional<Grid> grid) {
    return grid.map(g -> "multiples of 2^" + g.exponent()).orElse("no grid");
  }

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
