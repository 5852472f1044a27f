package io.mutune.trainer.model;

/**
 * Σ clip_C(∇ℓ(w)) over all rows, the one private quantity that training asks for; whoever opened it
 * adds the noise. Rows, loss and C are fixed when it is opened. Belongs to one thread at a time.
 *
 * <p>Adding or removing a row changes the sum by at most C in L2 norm, up to the rounding of the
 * sum itself. What a row adds depends on that row and the weights alone; a row whose gradient is
 * not finite, or whose label is no class, adds nothing.
 */
public interface ClippedSum extends AutoCloseable {
  /**
   * The sum at {@code weights}.
   *
   * @param weights {@code [features, columns]}, row-major
   * @param sum the same shape, overwritten
   */
  void compute(double[] weights, double[] sum);

  @Override
  void close();
}
