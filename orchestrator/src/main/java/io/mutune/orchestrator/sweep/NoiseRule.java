package io.mutune.orchestrator.sweep;

/** Where the noise of a study comes from. */
public sealed interface NoiseRule {
  /** A cryptographic generator keyed by the operating system. */
  record Secure() implements NoiseRule {}

  /** A seed that anyone can read in the sweep: repeatable, and no protection. */
  record Seeded(long seed) implements NoiseRule {}
}
