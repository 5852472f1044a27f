package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.Require;

/**
 * What keeps noisy gradient descent near where it started: the options of AdaMix's Algorithm 1 and
 * Theorem 3 (Golatkar et al. 2022). All of it is done with released values and costs nothing.
 *
 * @param weightDecay λ of (λ/2)‖w − w_ref‖² beside the <i>sum</i> of the rows' losses, as the paper
 *     has it; finite and at least 0
 * @param towardsStart whether w_ref is the start, as in Theorem 3; otherwise it is zero
 * @param radius B: after every step w is taken to the nearest point of the ball ‖w‖ ≤ B
 *     (Frobenius); above 0, infinite for no ball
 * @param schedule how the learning rate changes
 * @param averaged whether w̄ = 2/(T(T + 1))·Σ t·w_t is released, w_t being the weights before step
 *     t, instead of the last weights
 */
public record Restraint(
    double weightDecay, boolean towardsStart, double radius, Schedule schedule, boolean averaged) {
  /** None: descent as linear scaling has it. */
  public static final Restraint NONE =
      new Restraint(0, false, Double.POSITIVE_INFINITY, Schedule.CONSTANT, false);

  /** The learning rate of step t, counted from 1, made from the one in the settings. */
  public enum Schedule {
    /** η. */
    CONSTANT {
      @Override
      double factor(int step) {
        return 1;
      }
    },
    /** 2η/(t + 1): Theorem 3's, if η = N/λ. */
    INVERSE {
      @Override
      double factor(int step) {
        return 2 / (step + 1.0);
      }
    };

    abstract double factor(int step);
  }

  public Restraint {
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
    Require.that(radius > 0, "radius", radius);
  }
}
