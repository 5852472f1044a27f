package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import java.time.Instant;

/**
 * One entry of an account's ledger.
 *
 * @param entry its number, from 1
 * @param study that it is of; of an owner's entry what it is about
 * @param cost of a reservation the cost of the whole plan; of a settlement the sum of the study's
 *     charges, which replaces the reservation; of a raise the new cap
 */
public record AccountEntry(
    long entry, Kind kind, String study, ApproximateGaussianDp cost, Instant at) {
  /** The kinds of entries. */
  public enum Kind {
    /** A study was accepted; the cost of its plan is held. */
    RESERVED,
    /** The study has ended; what it was not charged is free again. */
    SETTLED,
    /**
     * A restored store has lost entries that its witness saw; this cost is held for good, and
     * belongs to no study in the store.
     */
    LOST,
    /** The owner has registered a data set. */
    REGISTERED,
    /** The owner has replaced the card of a data set, or its files. */
    UPDATED,
    /** The owner has retired a data set: no new study takes it. Nothing is free again. */
    RETIRED,
    /** The owner has raised the cap. */
    RAISED;

    /** Whether it is of a study, or of studies that were lost, and holds a part of the budget. */
    public boolean holds() {
      return this == RESERVED || this == SETTLED || this == LOST;
    }
  }
}
