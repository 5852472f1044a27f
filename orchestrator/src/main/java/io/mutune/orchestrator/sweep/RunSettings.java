package io.mutune.orchestrator.sweep;

/**
 * How a study runs.
 *
 * @param parallelTrials how many trials advance together, at least 1
 * @param noise where it comes from
 */
public record RunSettings(int parallelTrials, NoiseRule noise) {}
