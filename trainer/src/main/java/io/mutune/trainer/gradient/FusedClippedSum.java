package io.mutune.trainer.gradient;

import io.mutune.trainer.layout.RowSample;

/**
 * The {@link ClippedSum}s of several trials over the same rows, computed together. Each trial has
 * weights and a clip norm of its own, and gets the sum that it would get alone. Belongs to one
 * thread at a time.
 */
public interface FusedClippedSum extends AutoCloseable {
  /**
   * The sums over each trial's sample of the rows, with clip norms of their own.
   *
   * @param weights {@code [trials][features, columns]}
   * @param clips {@code [trials]}, from public inputs and released values
   * @param samples {@code [trials]}; which rows of active trials, asked as they say
   * @param sums as {@code weights}; overwritten for active trials, left alone for the others
   * @param active which trials take part; the others cost nothing
   */
  void compute(
      double[][] weights, ClipNorm[] clips, RowSample[] samples, double[][] sums, boolean[] active);

  @Override
  void close();
}
