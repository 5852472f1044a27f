package io.mutune.trainer.method.descent;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.Require;
import java.util.Arrays;

/** How AdaMix chooses τ at every step, from public rows. */
public sealed interface ClipRule {
  /** τ at a step, from the norms of the public rows' gradients there; they may be reordered. */
  ClipNorm at(double[] norms);

  /**
   * The same τ at every step.
   *
   * @param clipNorm τ
   */
  record Fixed(ClipNorm clipNorm) implements ClipRule {
    @Override
    public ClipNorm at(double[] norms) {
      return clipNorm;
    }
  }

  /**
   * A quantile of the norms, interpolated between neighbours (type 7 of Hyndman and Fan 1996): the
   * paper's rule with 0.9.
   *
   * @param quantile above 0 and below 1
   */
  record Quantile(double quantile) implements ClipRule {
    /**
     * Public rows that are fitted perfectly would clip everything away and divide by nothing; below
     * this no one-row gradient says anything.
     */
    private static final double LEAST = 1e-9;

    /** The greatest that a clip norm can be. */
    private static final double GREATEST = 1e30;

    public Quantile {
      Require.that(quantile > 0 && quantile < 1, "quantile", quantile);
    }

    @Override
    public ClipNorm at(double[] norms) {
      return ClipNorm.of(Math.min(GREATEST, Math.max(LEAST, of(norms))));
    }

    double of(double[] norms) {
      Arrays.sort(norms);
      double place = quantile * (norms.length - 1);
      int below = (int) place;
      int above = Math.min(below + 1, norms.length - 1);
      return norms[below] + (place - below) * (norms[above] - norms[below]);
    }
  }
}
