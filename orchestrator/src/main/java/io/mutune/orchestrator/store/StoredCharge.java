package io.mutune.orchestrator.store;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import java.time.Instant;

/** A charge that was read back from the disk or committed to it. Only this package makes one. */
public final class StoredCharge implements ReservedCharge {
  private final long sequence;
  private final String study;
  private final Charge charge;
  private final Instant reserved;

  StoredCharge(long sequence, String study, Charge charge, Instant reserved) {
    this.sequence = sequence;
    this.study = study;
    this.charge = charge;
    this.reserved = reserved;
  }

  /** Its place in the ledger of the whole store. */
  public long sequence() {
    return sequence;
  }

  public String study() {
    return study;
  }

  @Override
  public Charge charge() {
    return charge;
  }

  public Instant reserved() {
    return reserved;
  }
}
