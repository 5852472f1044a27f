package io.mutune.orchestrator.sweep;

import io.mutune.trainer.noise.Grid;
import java.util.Optional;

/** Where the noise of a study comes from. */
public sealed interface NoiseRule {
  /** To which sums are rounded before their noise, and the noise itself; empty for neither. */
  Optional<Grid> grid();

  /** A cryptographic generator keyed by the operating system. */
  record Secure(Optional<Grid> grid) implements NoiseRule {
    public Secure() {
      this(Optional.empty());
    }
  }

  /** A seed that anyone can read in the sweep: repeatable, and no protection. */
  record Seeded(long seed, Optional<Grid> grid) implements NoiseRule {
    public Seeded(long seed) {
      this(seed, Optional.empty());
    }
  }
}
