package io.mutune.trainer.noise;

import java.util.Optional;

/**
 * Where noise and secret samples come from. Implementations are safe for use by several threads.
 */
public interface NoiseSource {
  /**
   * The noise of one question. The stream itself belongs to one thread.
   *
   * @throws IllegalStateException if this source handed out {@code id} before: noise used on two
   *     questions can be subtracted away
   */
  NormalStream stream(StreamId id);

  /**
   * Uniform bits for one question, such as which rows take part; as secret as the noise.
   *
   * @throws IllegalStateException if this source handed out {@code id} before
   */
  UniformStream bits(StreamId id);

  /**
   * The grid to which sums are rounded before their noise, which moves them: the charge has to
   * allow for it. Empty where sums are left as they are.
   */
  default Optional<Grid> grid() {
    return Optional.empty();
  }

  /** What this source is, for the statement; holds no key and no seed that has to stay secret. */
  String description();
}
