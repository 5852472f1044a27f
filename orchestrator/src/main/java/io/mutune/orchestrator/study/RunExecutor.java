package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.layout.SampledRows;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Trains the runs of one study, each from wherever it stands. All calls from the orchestrator into
 * training go through here: charges go in, released iterates come up and are durable at once.
 */
record RunExecutor(
    StudyStore store,
    Study study,
    StudyListener listener,
    Ledger ledger,
    StudyNoise noise,
    StudyInputs inputs,
    PerInstanceCosts perInstance,
    StudyCancellation cancellation) {
  /** Scores of private rows have been charged. */
  private static final Duration TO_SCORES = Duration.ofSeconds(20);

  /** For runs that are not gone on with. */
  private static final StepJournal NO_JOURNAL =
      new StepJournal() {
        @Override
        public void begin(int firstStep, int lastStep) {
          // Their steps are secret, and one charge covers them all.
        }

        @Override
        public void checkpoint(Iterate iterate) {
          // Likewise.
        }
      };

  /**
   * Trains a run to its end, or gives the model that an earlier start released.
   *
   * @param number of the trial, or {@link RunRecord#FINAL}
   */
  TrainedModel train(int number, Training method, ReservedCharge proof, ClippedSums sums)
      throws IOException {
    cancellation.check();
    RunRecord before = store.trial(study.id(), number);
    if (before.state() == RunState.PLANNED) {
      ledger.move(number, RunState.CHARGED);
    }
    boolean trained = before.state().isTrained();
    RunRecord run = trained ? before : store.start(study.id(), number);
    String name = proof.charge().what();
    TrainingAttempt surroundings =
        new TrainingAttempt(
            perInstance.watched(sums, proof),
            noise.source(),
            noise.attempt(number),
            new StoreJournal(number, run.starts()),
            run.checkpoint(),
            run.stepsBegun(),
            cancellation::isCancelled,
            step -> listener.step(name, step, method.steps()));
    try {
      TrainedModel model = method.train(proof, inputs.training(proof), surroundings);
      if (!trained) {
        ledger.move(number, RunState.TRAINED);
      }
      return stopping(
          finite(
              model,
              () -> listener.note(name + " diverged: its model is 0; lower its learning rate")));
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * A model of weights that are numbers: of one that diverged nothing can be read, so it is 0.
   *
   * @param diverged told that it did
   */
  private static TrainedModel finite(TrainedModel model, Runnable diverged) {
    if (model instanceof ModelFile || Arrays.stream(model.weights()).allMatch(Double::isFinite)) {
      return model;
    }
    diverged.run();
    return LinearModel.zero(model.features(), model.columns());
  }

  /**
   * The model of a method that is not charged, from rows that are public or declared so.
   * Deterministic: a study that was stopped trains again and finds the same one.
   */
  LinearModel trainOpenly() throws IOException {
    cancellation.check();
    SweepDefinition sweep = study.sweep();
    TrainingMethod method = sweep.train().method();
    boolean onPublicRows = method.needs(Need.PUBLIC_ROWS);
    StudyData data = inputs.data();
    PublicRows rows = onPublicRows ? data.publicRows().orElseThrow() : data.openTraining();
    PublicTraining training = new PublicTraining(method.unprotected(sweep.problem()));
    try {
      // The kernel's sums are accurate in units of a clip norm, and there is none here.
      PublicTraining.Outcome outcome =
          onPublicRows
              ? training.train(rows, cancellation::isCancelled)
              : training.train(rows, Engine.inDouble(), cancellation::isCancelled);
      listener.note(
          "%s: %d steps, %s"
              .formatted(
                  method.name(),
                  outcome.steps(),
                  outcome.converged() ? "converged" : "stopped before it converged"));
      return outcome.model();
    } catch (IllegalArgumentException e) {
      String part = onPublicRows ? "data.public" : "data.private";
      throw new IOException(part + ": " + e.getMessage(), e);
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    }
  }

  /**
   * The rows of a run of which nothing is told: all of them, or a sample that is this run's own.
   *
   * @param rate the chance of each row, 1 for all
   */
  PrivateRows secretRows(int number, ReservedCharge proof, double rate) throws IOException {
    PrivateRows rows = inputs.training(proof);
    return rate == 1
        ? rows
        : SampledRows.of(rows, RowSample.poisson(rate, noise.secretBits(number)));
  }

  /** Trains a run of which nothing is told or written down. */
  TrainedModel trainSecretly(
      int number, Training method, ReservedCharge proof, PrivateRows rows, ClippedSums sums)
      throws IOException {
    cancellation.check();
    TrainingAttempt surroundings =
        TrainingAttempt.fresh(sums, noise.source(), noise.attempt(number), NO_JOURNAL)
            .watched(cancellation::isCancelled, step -> {});
    try {
      return stopping(finite(method.train(proof, rows, surroundings), () -> {}));
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** What another process scores by is not waited for where the study is to stop. */
  TrainedModel stopping(TrainedModel model) {
    return model instanceof ModelFile file ? file.until(cancellation::check, TO_SCORES) : model;
  }

  /** Keeps the steps of one start of one run. */
  private final class StoreJournal implements StepJournal {
    private final int number;
    private final int start;

    StoreJournal(int number, int start) {
      this.number = number;
      this.start = start;
    }

    @Override
    public void begin(int firstStep, int lastStep) {
      store.beginSteps(study.id(), number, start, firstStep, lastStep);
    }

    @Override
    public int start() {
      return start;
    }

    @Override
    public void checkpoint(Iterate iterate) {
      store.checkpoint(study.id(), number, start, iterate);
    }

    @Override
    public void reached(int step, double[] weights) {
      if (number == RunRecord.FINAL) {
        LearningCurve.reached(store, study, inputs.data(), step, weights);
      }
    }
  }
}
