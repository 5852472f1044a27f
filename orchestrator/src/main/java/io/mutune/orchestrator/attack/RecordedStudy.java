package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.HolderListener;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.StartModel;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Need;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Runs a study that its store knows, and keeps all that it releases. */
final class RecordedStudy {
  private RecordedStudy() {}

  /**
   * Runs it to its end; it stays in the state that it was in.
   *
   * @param beside more training rows, before any map
   * @param environment whose listener hears nothing
   * @param coins where the rows need no protection
   * @throws io.mutune.orchestrator.study.StudyInterruptedException if it was cancelled
   */
  static Transcript run(
      StudyStore store,
      Study study,
      PublicRows beside,
      RunEnvironment environment,
      Optional<RecordedNoise> coins)
      throws IOException {
    StudyDataFiles files = StudyDataFiles.of(store, study);
    List<String> log = new ArrayList<>();
    RecordingStore recording = new RecordingStore(store);
    RunEnvironment recorded =
        new RunEnvironment(
            environment.engine(),
            listener(log),
            environment.cancelled(),
            environment.interrupted(),
            environment.key(),
            HolderListener.SILENT,
            environment.cluster(),
            coins.map(known -> known),
            environment.share());
    StudyResult result = new StudyRunner(recording.store(), study, recorded, beside).run();
    Map<Integer, List<Iterate>> iterates = new TreeMap<>();
    for (int run = 0; run <= study.plan().storedRuns(); run++) {
      if (!recording.iterates(run).isEmpty()) {
        iterates.put(run, recording.iterates(run));
      }
    }
    List<StoredCharge> charges = store.charges(study.id());
    Duration span =
        charges.isEmpty()
            ? Duration.ZERO
            : Duration.between(
                charges.get(0).reserved(), charges.get(charges.size() - 1).reserved());
    return new Transcript(
        result,
        StartModel.inputs(files, publicRows(files, result), result.features()),
        iterates,
        recording.events(),
        List.copyOf(log),
        counts(store, study),
        span,
        coins);
  }

  private static Map<String, double[]> counts(StudyStore store, Study study) {
    Map<String, double[]> counts = new TreeMap<>();
    for (PlannedTrial trial : study.plan().trials()) {
      study
          .plan()
          .scoreCharge(trial)
          .flatMap(charge -> store.release(study.id(), charge.what()))
          .ifPresent(
              release -> release.values().ifPresent(cells -> counts.put(release.what(), cells)));
    }
    return counts;
  }

  /** The sweep's public rows, mapped as training has them, where its method has use for them. */
  private static Optional<PublicRows> publicRows(StudyDataFiles files, StudyResult result)
      throws IOException {
    SweepDefinition sweep = result.study().sweep();
    return sweep.train().method().needs(Need.PUBLIC_ROWS) && sweep.data().publicRows().isPresent()
        ? Optional.of(files.open(sweep.data().publicRows().get(), result.features()))
        : Optional.empty();
  }

  private static StudyListener listener(List<String> log) {
    return new StudyListener() {
      @Override
      public void charged(String what, Spending spending) {
        add("charged " + what);
      }

      @Override
      public void note(String line) {
        add(line);
      }

      private void add(String line) {
        synchronized (log) {
          log.add(line);
        }
      }
    };
  }
}
