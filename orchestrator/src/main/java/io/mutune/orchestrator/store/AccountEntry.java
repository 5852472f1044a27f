package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.GaussianDp;
import java.time.Instant;

/**
 * One entry of an account's ledger.
 *
 * @param entry its place, from 1
 * @param cost of a reservation all that the study may ask; of a settlement what it has been charged
 *     for, which takes the reservation's place
 */
public record AccountEntry(long entry, Kind kind, String study, GaussianDp cost, Instant at) {
  /** What an entry does. */
  public enum Kind {
    /** A study was accepted: what its plan may cost is held. */
    RESERVED,
    /** It has ended: what it was never charged for is free again. */
    SETTLED,
    /**
     * A store that was put back has lost what its witness saw: this is held for good, of no study
     * that the store knows.
     */
    LOST
  }
}
