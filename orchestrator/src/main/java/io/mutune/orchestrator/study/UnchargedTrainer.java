package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Trains the methods that are not charged. It only ever holds rows that are public or declared so,
 * and is deterministic: a study that was stopped trains again and finds the same model.
 */
final class UnchargedTrainer {
  private final SweepDefinition sweep;
  private final StudyData data;

  UnchargedTrainer(SweepDefinition sweep, StudyData data) {
    this.sweep = sweep;
    this.data = data;
  }

  /**
   * The model.
   *
   * @throws StudyInterruptedException if it was cancelled
   * @throws IOException if rows cannot be read, or do not suit the method
   */
  LinearModel train(StudyListener listener, BooleanSupplier cancelled) throws IOException {
    TrainingMethod method = sweep.train().method();
    boolean onPublicRows = method.needs(Need.PUBLIC_ROWS);
    String part = onPublicRows ? "data.public" : "data.private";
    PublicRows rows = onPublicRows ? data.publicRows().orElseThrow() : data.openTraining();
    PublicTraining training = new PublicTraining(method.unprotected(sweep.problem()));
    try {
      // The kernel's sums are accurate in units of a clip norm, and there is none here.
      PublicTraining.Outcome outcome =
          onPublicRows
              ? training.train(rows, cancelled)
              : training.train(rows, Engine.inDouble(), cancelled);
      listener.note(
          "%s: %d steps, %s"
              .formatted(
                  method.name(),
                  outcome.steps(),
                  outcome.converged() ? "converged" : "stopped before it converged"));
      return outcome.model();
    } catch (IllegalArgumentException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    }
  }
}
