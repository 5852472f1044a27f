package io.mutune.orchestrator.study;

import io.mutune.trainer.model.Engine;
import java.util.function.BooleanSupplier;

/**
 * What a run needs from outside.
 *
 * @param engine that computes the clipped sums
 * @param cancelled looked at after every step
 */
public record RunEnvironment(Engine engine, StudyListener listener, BooleanSupplier cancelled) {}
