package io.mutune.orchestrator.study;

import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.function.IOSupplier;

/**
 * A study in pieces, for processes that share it. Each piece may be run twice, one after the other
 * or at once, and by a process that was thought dead: a charge is found by its name before it is
 * reserved, a run goes on from its last checkpoint, and the store refuses every step, checkpoint
 * and score of a process that another has succeeded. Any number of threads may run pieces.
 *
 * <p>Every piece throws {@link StudyInterruptedException} if it was asked to stop, {@link
 * StoreException} if the store fails or another process has taken the piece over, and {@link
 * IllegalStateException} if the other one has ended it; nothing is charged twice then.
 */
public final class StudyPieces {
  private final StudyStore store;
  private final Study study;
  private final StudyPhases phases;
  private boolean prepared;

  public StudyPieces(StudyStore store, Study study, RunEnvironment environment) {
    this.store = store;
    this.study = study;
    this.phases =
        new StudyPhases(
            store,
            study,
            environment,
            () -> StudyData.of(StudyDataFiles.of(store, study).keyed(environment.key())));
  }

  /**
   * Whether the files may still be opened, of which nothing is read.
   *
   * @throws IOException if one is missing or may not be read
   * @throws io.mutune.orchestrator.store.AccountRefusedException if one has become an account's
   */
  public void check() throws IOException {
    StudyDataFiles.of(store, study);
  }

  public Study study() {
    return study;
  }

  /** The pieces that are to be run now, in any order and side by side. */
  public List<Piece> next() {
    if (phases.isSecret()) {
      return List.of(Piece.LAST);
    }
    if (!phases.isMeanKnown()) {
      return List.of(Piece.MEAN);
    }
    List<PlannedTrial> open = phases.open();
    return open.isEmpty()
        ? List.of(Piece.LAST)
        : open.stream().map(trial -> Piece.trial(trial.number())).toList();
  }

  /**
   * Releases the private mean. One that an earlier process began to ask for is lost, and stays
   * charged.
   *
   * @throws IOException if data cannot be read
   */
  public void mean() throws IOException {
    timed(
        () -> {
          prepare();
          return true;
        });
  }

  /**
   * Runs a trial from where it stands to its score.
   *
   * @throws IOException if data cannot be read
   */
  public void trial(int number) throws IOException {
    timed(
        () -> {
          Optional<PlannedTrial> trial =
              phases.open().stream().filter(t -> t.number() == number).findFirst();
          if (trial.isPresent()) {
            prepareAfterMean();
            phases.trial(trial.get(), phases.lockstep(1).member(0));
          }
          return true;
        });
  }

  /**
   * Decides, trains the final model from where it stands, and takes the test.
   *
   * @throws io.mutune.orchestrator.search.SearchFailedException if the trials leave nothing to
   *     decide from
   * @throws IOException if data cannot be read
   */
  public StudyResult last() throws IOException {
    long start = System.nanoTime();
    prepareAfterMean();
    // How long secret runs took is not told.
    return phases.isSecret()
        ? phases.end(() -> 0)
        : timed(() -> phases.end(() -> StudyRunner.secondsSince(start)));
  }

  /**
   * How often the run that a piece is at was started, and where it stands: whoever finds this
   * changed by more than their own start was succeeded.
   */
  public RunRecord standing(Piece piece) {
    if (piece.kind() == Piece.Kind.TRIAL) {
      return store.trial(study.id(), piece.number());
    }
    RunRecord run = store.trial(study.id(), RunRecord.FINAL);
    for (PlannedRelease release : study.plan().releases()) {
      run = run.state().isTrained() ? store.trial(study.id(), release.run()) : run;
    }
    return run;
  }

  /** A mean that is not known yet is another piece's to ask for. */
  private void prepareAfterMean() throws IOException {
    if (!phases.isSecret() && !phases.isMeanKnown()) {
      throw new StoreException("study " + study.id() + ": its private mean comes first");
    }
    prepare();
  }

  private synchronized void prepare() throws IOException {
    if (!prepared) {
      phases.prepare();
      prepared = true;
    }
  }

  private <T> T timed(IOSupplier<T> work) throws IOException {
    long start = System.nanoTime();
    try {
      T result = work.get();
      store.addSeconds(study.id(), StudyRunner.secondsSince(start));
      return result;
    } catch (StudyInterruptedException e) {
      store.addSeconds(study.id(), StudyRunner.secondsSince(start));
      throw e;
    }
  }
}
