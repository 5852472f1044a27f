package io.mutune.trainer.noise;

/** Where Gaussian noise comes from. Implementations are safe for use by several threads. */
public interface NoiseSource {
  /**
   * The noise of one question. The stream itself belongs to one thread.
   *
   * @throws IllegalStateException if this source handed out {@code id} before: noise used on two
   *     questions can be subtracted away
   */
  NormalStream stream(StreamId id);

  /** Whether nobody can draw the same noise again; if not, no guarantee holds against who can. */
  boolean secret();

  /** What this source is, for the statement; holds no key and no seed that has to stay secret. */
  String description();
}
