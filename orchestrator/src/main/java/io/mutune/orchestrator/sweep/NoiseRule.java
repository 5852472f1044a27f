package io.mutune.orchestrator.sweep;

import io.mutune.trainer.noise.Grid;
import java.util.Optional;

/** Where the noise of a study comes from. */
public sealed interface NoiseRule {
  /** To which sums are rounded before their noise, and the noise itself; empty for neither. */
  Optional<Grid> grid();

  /**
   * That of one more study, which shares no noise with this one's.
   *
   * @param number of it, from 1
   */
  NoiseRule another(int number);

  /** A cryptographic generator keyed by the operating system. */
  record Secure(Optional<Grid> grid) implements NoiseRule {
    public Secure() {
      this(Optional.empty());
    }

    @Override
    public Secure another(int number) {
      return this;
    }
  }

  /** A seed that anyone can read in the sweep: repeatable, and no protection. */
  record Seeded(long seed, Optional<Grid> grid) implements NoiseRule {
    @Override
    public Seeded another(int number) {
      return new Seeded(seed + number, grid);
    }
  }
}
