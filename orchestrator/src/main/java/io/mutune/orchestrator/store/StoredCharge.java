package io.mutune.orchestrator.store;

import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.time.Instant;
import java.util.List;

/** A charge that is committed to the store. Only this package makes one. */
public final class StoredCharge implements ReservedCharge {
  private final long sequence;
  private final Charge charge;
  private final Instant reserved;

  StoredCharge(long sequence, Charge charge, Instant reserved) {
    this.sequence = sequence;
    this.charge = charge;
    this.reserved = reserved;
  }

  /** Returns its number in the whole store. */
  public long sequence() {
    return sequence;
  }

  @Override
  public Charge charge() {
    return charge;
  }

  public Instant reserved() {
    return reserved;
  }

  /**
   * Returns proofs for the questions of one run of a selection; this charge covers any number of
   * runs.
   *
   * @param questions of the run
   * @throws IllegalArgumentException if this charge is no selection's, or they ask more than its
   *     run may
   */
  public List<StoredCharge> ofOneRun(List<Charge> questions) {
    if (!(charge.mechanism() instanceof RepeatAndSelect selection)) {
      throw new IllegalArgumentException("'" + charge.what() + "' has no runs within it");
    }
    GaussianDp asked =
        GaussianDp.compose(
            questions.stream().map(q -> GaussianDp.of(requireMu(q.mechanism()))).toList());
    // What a run may ask of the sample that it has, which is charged as one release.
    Mu allowed =
        requireMu(
            selection.run() instanceof SubsampledGaussian sampled && sampled.count() == 1
                ? sampled.unsampled()
                : selection.run());
    if (asked.mu().value() > allowed.value()) {
      throw new IllegalArgumentException(
          "a run of '%s' may cost mu = %s and asks for %s"
              .formatted(charge.what(), allowed.value(), asked.mu().value()));
    }
    return questions.stream().map(q -> new StoredCharge(sequence, q, reserved)).toList();
  }

  private static Mu requireMu(Mechanism mechanism) {
    return mechanism
        .mu()
        .orElseThrow(() -> new IllegalArgumentException(mechanism.name() + " has no mu"));
  }
}
