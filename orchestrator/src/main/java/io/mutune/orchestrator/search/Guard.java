package io.mutune.orchestrator.search;

/**
 * A safeguard that acted: what it found and what it did instead. Reported, never silent.
 *
 * @param name a stable word such as {@code negative-slope}
 */
public record Guard(String name, String action) {}
