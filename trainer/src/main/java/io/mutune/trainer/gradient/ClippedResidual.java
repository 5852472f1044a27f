package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.Loss;
import java.util.Arrays;

/**
 * From a row's logits to what it adds: the gradient of a linear model's loss at row x is x ⊗ r with
 * the residual r = ∂ℓ/∂z, so its norm is exactly ‖x‖·‖r‖ and clipping it is scaling r.
 */
record ClippedResidual(Loss loss, int classes, ClipNorm clip) {
  ClippedResidual at(ClipNorm other) {
    return other.equals(clip) ? this : new ClippedResidual(loss, classes, other);
  }

  /**
   * Replaces the logits by r · min(1, C/(‖x‖·‖r‖)), or by zeros where the row adds nothing.
   *
   * @param logits {@code [columns]}, overwritten
   * @param rowNorm ‖x‖
   */
  void ofLogits(double[] logits, int label, double rowNorm) {
    if (!loss.admits(label, classes)) {
      Arrays.fill(logits, 0);
      return;
    }
    loss.toResidual(logits, label);
    double factor = clip.factor(rowNorm * EuclideanNorm.of(logits));
    for (int c = 0; c < logits.length; c++) {
      logits[c] = factor == 0 ? 0 : factor * logits[c];
    }
  }

  /**
   * Replaces the logits by r, or by zeros where the row adds nothing.
   *
   * @return ‖r‖
   */
  double unclipped(double[] logits, int label) {
    if (loss.admits(label, classes)) {
      loss.toResidual(logits, label);
    } else {
      Arrays.fill(logits, 0);
    }
    return EuclideanNorm.of(logits);
  }
}
