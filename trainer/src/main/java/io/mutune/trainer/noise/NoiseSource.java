package io.mutune.trainer.noise;

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

  /** Whether nobody can draw the same noise again; if not, no guarantee holds against who can. */
  boolean secret();

  /** What this source is, for the statement; holds no key and no seed that has to stay secret. */
  String description();
}
