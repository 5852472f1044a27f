package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.NpyArray;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** The model that a sweep's runs start from: public, and the same for whoever makes it. */
public final class StartModel {
  private StartModel() {}

  /**
   * Reads or trains it.
   *
   * @param files of the sweep
   * @param rows the sweep's public ones, mapped as training has them
   * @return empty for zero weights
   * @throws IllegalArgumentException if the file, or the rows, make no model
   * @throws IOException if a file cannot be read
   */
  private static Optional<LinearModel> of(StudyDataFiles files, Optional<PublicRows> rows)
      throws IOException {
    SweepDefinition sweep = files.sweep();
    Start start = sweep.train().method().start();
    if (start.file().isPresent()) {
      return Optional.of(read(files.arrays(start.file().get())));
    }
    return start instanceof Start.FromPublicRows training
        ? Optional.of(
            new PublicTraining(training.settings(sweep.train().loss(), sweep.classes()))
                .train(rows.orElseThrow(), Engine.REFERENCE)
                .model())
        : Optional.empty();
  }

  /**
   * What training reads without a charge.
   *
   * @param rows as in {@link #of}; empty where the method needs none
   * @throws IllegalArgumentException if the file, or the rows, make no model
   * @throws IOException if a file cannot be read
   */
  public static PublicInputs inputs(StudyDataFiles files, Optional<PublicRows> rows)
      throws IOException {
    return new PublicInputs(rows, of(files, rows));
  }

  private static LinearModel read(Map<String, NpyArray> arrays) {
    NpyArray weights = arrays.get("weights");
    if (weights == null || weights.shape().length != 2) {
      throw new IllegalArgumentException("it has no array 'weights' of two dimensions");
    }
    if (!Arrays.stream(weights.values()).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("it has a weight that is not a finite number");
    }
    return new LinearModel(weights.shape()[0], weights.shape()[1], weights.values());
  }
}
