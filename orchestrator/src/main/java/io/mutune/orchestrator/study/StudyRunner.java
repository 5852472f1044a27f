package io.mutune.orchestrator.study;

import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.data.PublicRows;
import java.io.IOException;
import java.util.List;

/** Runs a study from wherever it stands to its end: trials, scores, decision, final run, test. */
public final class StudyRunner {
  private final StudyStore store;
  private final Study study;
  private final StudyPhases phases;

  public StudyRunner(StudyStore store, Study study, RunEnvironment environment) {
    this(store, study, environment, PublicRows.none());
  }

  /**
   * With more training rows than the sweep's.
   *
   * @param beside before any map; rows that anybody may know, chosen without a look at the others
   */
  public StudyRunner(StudyStore store, Study study, RunEnvironment environment, PublicRows beside) {
    this.store = store;
    this.study = study;
    this.phases =
        new StudyPhases(
            store,
            study,
            environment,
            () ->
                StudyData.of(
                    StudyDataFiles.of(store, study)
                        .heardBy(environment.holder())
                        .keyed(environment.key())
                        .readBy(environment.readers(study)),
                    beside));
  }

  /**
   * Runs to the end.
   *
   * @throws StudyInterruptedException if it was cancelled; it can be resumed
   * @throws SearchFailedException if the trials leave nothing to decide from; the study has failed
   * @throws IOException if data cannot be read; it can be resumed
   */
  public StudyResult run() throws IOException {
    long start = System.nanoTime();
    StudyResult result;
    try {
      result = run(start);
    } catch (SearchFailedException e) {
      store.move(study.id(), StudyState.FAILED);
      throw e;
    } catch (IOException | RuntimeException e) {
      addSeconds(start, e);
      throw e;
    }
    if (!phases.isSecret()) {
      store.addSeconds(study.id(), secondsSince(start));
    }
    return result;
  }

  private StudyResult run(long start) throws IOException {
    phases.prepare();
    runTrials();
    return phases.end(() -> secondsSince(start));
  }

  /** On the way out of a failure, which stays what is reported even if the store fails too. */
  private void addSeconds(long start, Exception failure) {
    if (phases.isSecret()) {
      return;
    }
    try {
      store.addSeconds(study.id(), secondsSince(start));
    } catch (StoreException e) {
      failure.addSuppressed(e);
    }
  }

  private void runTrials() throws IOException {
    int together = study.sweep().run().parallelTrials();
    // Trials that scores of these choose are open next; a group never has both.
    for (List<PlannedTrial> open = phases.open(); !open.isEmpty(); open = phases.open()) {
      for (int from = 0; from < open.size(); from += together) {
        List<PlannedTrial> group = open.subList(from, Math.min(open.size(), from + together));
        new ParallelRuns<>(phases::trial, phases::stop).run(group, phases.lockstep(group.size()));
      }
    }
  }

  static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
