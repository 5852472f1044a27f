package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;

/**
 * Cheap trials at one privacy level ("a sweep" in the linear scaling paper).
 *
 * @param epsilon of each trial alone, at the study's δ
 * @param trials at least 1
 */
public record SweepRound(Epsilon epsilon, int trials) {}
