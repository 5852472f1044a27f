package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.Lockstep;
import org.apache.commons.io.function.IOSupplier;

/**
 * What one process works on one study with.
 *
 * @param sums of the engine, for a run that shares no pass
 */
record StudyParts(
    Ledger ledger,
    StudyNoise noise,
    StudyInputs inputs,
    RunExecutor runs,
    RunScores scores,
    PerInstanceCosts perInstance,
    Engine engine,
    ClippedSums sums,
    StudyCancellation cancellation) {

  static StudyParts of(
      StudyStore store, Study study, RunEnvironment environment, IOSupplier<StudyData> opening) {
    StudyListener listener = environment.listener();
    StudyNoise noise = StudyNoise.of(study, environment.noise());
    DataNotes notes = new DataNotes(store, study, environment);
    StudyCancellation cancellation =
        new StudyCancellation(environment.cancelled(), environment.interrupted());
    StudyInputs inputs =
        new StudyInputs(
            store, study, listener, noise, notes, environment.share(), cancellation, opening);
    PerInstanceCosts perInstance = new PerInstanceCosts(study);
    Engine engine = engine(study, environment);
    Ledger ledger = new Ledger(store, study);
    return new StudyParts(
        ledger,
        noise,
        inputs,
        new RunExecutor(store, study, listener, ledger, noise, inputs, perInstance, cancellation),
        new RunScores(store, study, listener, ledger, noise, inputs),
        perInstance,
        engine,
        environment
            .cluster()
            .map(cluster -> Engine.on(cluster, noise.orders(), study.sweep().data().mostRows()))
            .orElseGet(() -> engine.sums(noise.orders())),
        cancellation);
  }

  /** The figures of single rows and people are for logits in double, as they are. */
  private static Engine engine(Study study, RunEnvironment environment) {
    boolean watched = study.sweep().output().perInstance().isPresent();
    return watched ? Engine.REFERENCE : environment.engine();
  }

  /**
   * What lets trials share their passes over the rows, which all are the same and have one loss.
   */
  Lockstep lockstep(int trials) {
    return new Lockstep(sums, trials);
  }
}
