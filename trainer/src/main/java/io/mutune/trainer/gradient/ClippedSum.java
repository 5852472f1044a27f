package io.mutune.trainer.gradient;

import io.mutune.trainer.layout.RowSample;

/**
 * Σ clip_C(∇ℓ(w)) over rows, the one private quantity that most methods ask for; whoever opened it
 * adds the noise. Rows and loss are fixed when it is opened. Belongs to one thread at a time.
 *
 * <p>Adding or removing a row changes the sum by at most C in L2 norm, up to the rounding of the
 * sum itself. What a row adds depends on that row and the weights alone; a row whose gradient is
 * not finite, or whose label is no class, adds nothing.
 */
public interface ClippedSum extends AutoCloseable {
  /**
   * The sum at {@code weights} over all rows, with the clip norm that it was opened with.
   *
   * @param weights {@code [features, columns]}, row-major
   * @param sum the same shape, overwritten
   */
  void compute(double[] weights, double[] sum);

  /**
   * The sum over the sampled rows, with a clip norm of its own.
   *
   * @param weights {@code [features, columns]}, row-major
   * @param clip C, from public inputs and released values
   * @param sample which rows, asked as it says
   * @param sum the same shape, overwritten
   */
  void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum);

  @Override
  void close();
}
