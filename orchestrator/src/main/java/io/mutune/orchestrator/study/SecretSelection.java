package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.SecretRuns;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Lockstep;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.UniformStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs in secret, of which the best is the result or is carried over to a final run. One charge
 * covers them all and is durable before the first; the best model, its point and its score are
 * written when all have ended, and nothing else ever is: no step, no number of a run, no time. What
 * is lost in a crash is therefore lost, and its charge stays spent.
 */
final class SecretSelection {
  /** What the store keeps beside the weights, in {@link Iterate#memory}. */
  private static final int RATE = 0;

  private static final int STEPS = 1;
  private static final int SCORE = 2;
  private static final int SETTINGS = 3;

  private static final int TRIES = 30;
  private static final long SECONDS_BETWEEN = 2;

  private static final String LOST =
      "random stopping keeps what it has done in memory alone, since that is secret; its charge is"
          + " spent and nothing was released. Start a new study, unless the process that ran it may still"
          + " end: then resume it later";

  private final StudyStore store;
  private final Study study;
  private final StudyParts parts;
  private final SecretTrials search;
  private final SecretRuns runs;
  private final int record;
  private @Nullable Best best;

  SecretSelection(StudyStore store, Study study, StudyParts parts) {
    this.store = store;
    this.study = study;
    this.parts = parts;
    this.search = (SecretTrials) study.sweep().search();
    this.runs = study.plan().secretRuns().orElseThrow();
    this.record = study.plan().tunesInSecret() ? StudyPlan.TUNING : RunRecord.FINAL;
  }

  /** What is released. */
  record Released(Decision decision, TrainedModel model) {}

  private record Run(int number, TrialPoint point) {}

  private record Best(int number, TrialPoint point, TrainedModel model, double score) {}

  /**
   * The best of the runs, or what an earlier start released.
   *
   * @param charge of all runs together, reserved
   * @throws SearchFailedException if an earlier start was lost, or the law gave no run at all
   */
  Released release(StoredCharge charge) throws IOException {
    RunRecord before = store.trial(study.id(), record);
    if (before.checkpoint().isPresent()) {
      if (!before.state().isTrained()) {
        parts.ledger().move(record, RunState.TRAINED);
      }
      return released(before.checkpoint().get());
    }
    if (before.stepsBegun() > 0) {
      throw new SearchFailedException("an earlier start did not end: " + LOST);
    }
    if (before.state() == RunState.PLANNED) {
      parts.ledger().move(record, RunState.CHARGED);
    }
    parts.cancellation().check();
    int start = store.start(study.id(), record).starts();
    store.beginSteps(study.id(), record, start, 1, 1);
    Best chosen;
    try {
      chosen = parts.cancellation().uninterrupted(() -> runAll(charge));
    } catch (StudyInterruptedException e) {
      throw new SearchFailedException("interrupted: " + LOST);
    }
    Iterate kept = new Iterate(1, chosen.model().weights(), memory(chosen));
    keep(start, kept);
    parts.ledger().move(record, RunState.TRAINED);
    return released(kept);
  }

  /** Asks a store that is away for a moment again: what it does not take is lost for good. */
  private void keep(int start, Iterate kept) {
    for (int tries = 1; ; tries++) {
      try {
        store.checkpoint(study.id(), record, start, kept);
        return;
      } catch (StoreException e) {
        if (tries == TRIES || e.isDamage() || isTakenOver(start)) {
          throw e;
        }
        try {
          TimeUnit.SECONDS.sleep(SECONDS_BETWEEN);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }

  private boolean isTakenOver(int start) {
    try {
      return store.trial(study.id(), record).starts() != start;
    } catch (StoreException e) {
      return false;
    }
  }

  private static double[] memory(Best chosen) {
    Map<String, Double> settings = chosen.point().sortedSettings();
    double[] memory = new double[SETTINGS + settings.size()];
    memory[RATE] = chosen.point().learningRate();
    memory[STEPS] = chosen.point().steps();
    memory[SCORE] = chosen.score();
    int next = SETTINGS;
    for (double value : settings.values()) {
      memory[next++] = value;
    }
    return memory;
  }

  private Released released(Iterate kept) {
    double[] memory = kept.memory();
    Map<String, Double> settings = new HashMap<>();
    List<String> searched = search.space().settings();
    for (int i = 0; i < searched.size(); i++) {
      settings.put(searched.get(i), memory[SETTINGS + i]);
    }
    TrialPoint point = new TrialPoint(memory[RATE], (int) memory[STEPS], settings);
    int columns = study.sweep().train().loss().columns(study.sweep().classes());
    TrainedModel model =
        study.sweep().train().method().with(settings).stored(kept.weights(), columns);
    return new Released(Decision.best(point, memory[SCORE]), parts.runs().stopping(model));
  }

  private Best runAll(StoredCharge charge) throws IOException {
    UniformStream secret = parts.noise().secretBits(RunRecord.FINAL);
    int count = search.count(secret.next(), secret.next());
    List<Run> drawn = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      TrialPoint point = search.draw(secret.next(), runs.scale(), runs.mu());
      drawn.add(new Run(number, point));
    }
    if (search.sampleRate() < 1) {
      // Each has rows of its own, so there is no pass to share.
      for (Run run : drawn) {
        runOne(run, parts.sums(), charge);
      }
      return found();
    }
    int together = study.sweep().run().parallelTrials();
    for (int from = 0; from < count; from += together) {
      List<Run> group = drawn.subList(from, Math.min(count, from + together));
      Lockstep lockstep = parts.lockstep(group.size());
      new ParallelRuns<Run>(
              (run, engine) -> {
                try (engine) {
                  runOne(run, engine, charge);
                }
              },
              parts.cancellation()::cancel)
          .run(group, lockstep);
    }
    return found();
  }

  private Best found() {
    if (best == null) {
      throw new SearchFailedException(
          "the law of the number of runs gave none, which is all that is released");
    }
    return best;
  }

  private void runOne(Run run, ClippedSums engine, StoredCharge charge) throws IOException {
    NoiseMultiplier sigma = runs.noise(run.point());
    Charge training = runs.training(run.point());
    Optional<Charge> score = runs.score();
    List<Charge> questions = new ArrayList<>(List.of(training));
    score.ifPresent(questions::add);
    List<StoredCharge> proofs = charge.ofOneRun(questions);
    Training method = parts.inputs().method(run.point(), sigma, training, runs.rows());
    PrivateRows rows = parts.runs().secretRows(run.number(), proofs.get(0), search.sampleRate());
    TrainedModel model =
        parts.runs().trainSecretly(run.number(), method, proofs.get(0), rows, engine);
    double value =
        parts
            .scores()
            .scoreSecretly(
                run.number(),
                model,
                score.isPresent() ? Optional.of(proofs.get(1)) : Optional.empty(),
                rows);
    keep(new Best(run.number(), run.point(), model, value));
  }

  /**
   * Of equal scores the one that was drawn first, whichever thread ends first: runs are alike
   * before they are drawn, so that is as good as chance, and a seeded study repeats.
   */
  private synchronized void keep(Best candidate) {
    if (best == null
        || candidate.score() > best.score()
        || (candidate.score() == best.score() && candidate.number() < best.number())) {
      best = candidate;
    }
  }
}
