package io.mutune.trainer.method.budget;

import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.HuberHingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.loss.WeightedLoss;

/**
 * How steep and how curved a loss is in its logits, and so in the weights at rows of norm at most
 * 1. All losses here are convex.
 *
 * @param lipschitz L, above every ‖∂ℓ/∂z‖
 * @param curvature H, above every eigenvalue of ∂²ℓ/∂z²; infinite where the slope jumps
 * @param relative K: where every logit, of a softmax every distance to the greatest one, is off by
 *     a small share u of itself, the residual is off by at most Ku; infinite where the slope jumps
 */
record Smoothness(double lipschitz, double curvature, double relative) {
  /**
   * A row's loss is a sum over its logits, except for the softmax: ‖p − e‖ ≤ √2, and diag(p) − ppᵀ
   * has no eigenvalue above ½. For K, ∂²ℓ/∂z² is nothing where |z| is large: z·p(1 − p) is below ¼
   * for the logistic loss, and for the softmax pⱼ is at most e^−|Δ| at a distance Δ, so that ‖δp‖₁
   * ≤ 2uΣ|Δ|e^−|Δ| ≤ 2u(c − 1)/e for c classes.
   */
  static Smoothness of(Loss loss, int classes) {
    if (loss instanceof WeightedLoss weighted) {
      Smoothness whole = of(weighted.unweighted(), classes);
      // A factor of at most 1 keeps them all, but for one rounding of a residual below L.
      return new Smoothness(
          whole.lipschitz(), whole.curvature(), whole.relative() + whole.lipschitz());
    }
    double root = Math.nextUp(Math.sqrt(loss.columns(classes)));
    if (loss instanceof SoftmaxLoss) {
      return new Smoothness(Math.nextUp(Math.sqrt(2)), 0.5, classes);
    } else if (loss instanceof LogisticLoss) {
      return new Smoothness(1, 0.25, 0.25);
    } else if (loss instanceof HuberHingeLoss rounded) {
      double curvature = 1 / (2 * rounded.width());
      return new Smoothness(root, curvature, root * (1 + rounded.width()) * curvature);
    } else if (loss instanceof HingeLoss) {
      return new Smoothness(root, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    } else if (loss instanceof SquaredLoss squared) {
      return new Smoothness(Math.nextUp(root * (squared.bound() + 1)), 1, root * squared.bound());
    }
    throw new IllegalArgumentException("nothing is known of how curved " + loss.key() + " is");
  }

  /**
   * The same, of a loss whose slope does not jump.
   *
   * @throws IllegalArgumentException for the hinge
   */
  static Smoothness required(Loss loss, int classes) {
    Smoothness smoothness = of(loss, classes);
    if (Double.isInfinite(smoothness.curvature())) {
      throw new IllegalArgumentException(
          "the guarantee needs a loss whose slope does not jump; was '%s', take 'huber-hinge'"
              .formatted(loss.key()));
    }
    return smoothness;
  }
}
