package io.mutune.orchestrator.sweep;

import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.model.Loss;
import java.nio.file.Path;

/** Which weights runs start from; public, all of them. */
public sealed interface StartRule {
  /** All zero. */
  record Zero() implements StartRule {}

  /**
   * The array {@code weights} [features, columns] of an npz file that is declared public, such as a
   * text encoder's or an earlier study's.
   */
  record FromFile(Path file) implements StartRule {}

  /**
   * What training on the public rows alone gives.
   *
   * @param weightDecay λ beside the mean of the losses
   * @param tolerance relative to the gradient at the start
   */
  record FromPublicRows(double weightDecay, double tolerance, int maxSteps) implements StartRule {
    /** How to train them. */
    public PublicTraining.Settings settings(Loss loss, int classes) {
      return new PublicTraining.Settings(loss, classes, weightDecay, tolerance, maxSteps);
    }
  }
}
