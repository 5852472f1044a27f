package io.mutune.orchestrator.sweep;

import io.mutune.trainer.model.Loss;

/** How every run of a study trains. */
public record TrainDefinition(MethodDefinition method, Loss loss) {}
