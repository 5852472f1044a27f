package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.method.PrivateMean;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.StreamId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Releases a study's private mean once, or finds what an earlier start released. A mean whose
 * question was begun and whose answer was lost in a crash is not asked again: its charge is spent,
 * and rows are taken as they are.
 */
final class MeanRelease {
  private final StudyStore store;
  private final Study study;
  private final StudyListener listener;
  private final DataNotes notes;

  MeanRelease(StudyStore store, Study study, StudyListener listener, DataNotes notes) {
    this.store = store;
    this.study = study;
    this.listener = listener;
    this.notes = notes;
  }

  /**
   * The mean, durable before it is used.
   *
   * @param rows whose maps are those before the mean
   * @param id of its noise, which nothing else has
   */
  double[] of(MeanStep step, PrivateData rows, NoiseSource noise, StreamId id) throws IOException {
    Charge charge = study.plan().meanCharge().orElseThrow();
    Optional<StoredRelease> earlier = store.release(study.id(), charge.what());
    if (earlier.isPresent()) {
      return earlier.get().values().orElseGet(() -> lost(step, charge));
    }
    ReservedCharge proof = new Ledger(store, study).reserved(charge);
    PrivateRows read = rows.rows(proof);
    notes.charged(DataNotes.TRAINING, rows, proof);
    store.beginRelease(study.id(), charge.what());
    SweepDefinition sweep = study.sweep();
    PrivateMean mean = step.mean(sweep.budget(), sweep.rows(), sweep.run().noise().grid());
    double[] released;
    try {
      released = mean.release(proof, read, noise, id);
    } catch (UncheckedIOException e) {
      throw e.getCause(); // of machines that hold the rows, in one line
    }
    store.release(study.id(), charge.what(), released);
    return released;
  }

  /** Kept too, so that every process that runs the study takes rows as they are. */
  private double[] lost(MeanStep step, Charge charge) {
    listener.note(
        charge.what() + " was lost in a crash: its charge is spent, rows stay as they are");
    double[] nothing = step.nothing();
    store.release(study.id(), charge.what(), nothing);
    return nothing;
  }
}
