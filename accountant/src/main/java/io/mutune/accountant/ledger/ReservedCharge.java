package io.mutune.accountant.ledger;

/**
 * Proof that a charge is durable: committed and synced. Stores alone hand these out, and whatever
 * reads a private row asks for one first.
 */
public interface ReservedCharge {
  Charge charge();
}
