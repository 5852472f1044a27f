package io.mutune.orchestrator.sweep;

import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Loss;

/**
 * How every run of a study trains.
 *
 * @param momentum β in [0, 1)
 * @param freeStep whether the last velocity is applied once more
 */
public record TrainDefinition(
    String method, Loss loss, ClipNorm clipNorm, double momentum, boolean freeStep) {
  public static final String NOISY_GD = "noisy-gd";
}
