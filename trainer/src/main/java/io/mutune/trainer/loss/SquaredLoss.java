package io.mutune.trainer.loss;

import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/**
 * Half the squared distance of a prediction z from its target t in [−1, 1], with z held within the
 * public bound B: the residual is clamp(z, −B, B) − t. So the loss is (z − t)²/2 up to |z| = B and
 * goes on in a straight line beyond, which is convex, and the residual of one logit never passes B
 * + 1: the gradient of row x has norm at most ‖x‖·(B + 1).
 *
 * <p>Real targets have one logit. For classes, t is 1 for the row's class and −1 otherwise: one
 * logit for two classes, else one a class. PPSGD's (y − wᵀx)² is twice this.
 *
 * @param bound B, from 1 to 1e6
 * @param realTargets whether labels are codes of {@link TargetRange} instead of classes
 */
public record SquaredLoss(double bound, boolean realTargets) implements Loss {
  /** Twice as far as any target, so that a prediction too large is still pulled back. */
  public static final double USUAL_BOUND = 2;

  private static final double GREATEST_BOUND = 1e6;

  private static final Setting<Double> BOUND =
      Setting.number("predictionBound", NumberRule.fromTo(1, GREATEST_BOUND), "")
          .usually(USUAL_BOUND);

  /** In sweeps. */
  static final LossType TYPE =
      new LossType(
          "squared",
          List.of(BOUND),
          Link.NONE,
          (given, realTargets) -> new SquaredLoss(given.get(BOUND), realTargets));

  public SquaredLoss {
    if (!(bound >= 1 && bound <= GREATEST_BOUND)) {
      throw new IllegalArgumentException(
          "the prediction bound must be in [1, %s]; was %s".formatted(GREATEST_BOUND, bound));
    }
  }

  @Override
  public String key() {
    return TYPE.key();
  }

  @Override
  public int columns(int classes) {
    if (realTargets != (classes == 0)) {
      throw new IllegalArgumentException(
          realTargets ? "real targets have no classes; was " + classes : "there are no classes");
    }
    return realTargets ? 1 : Margins.columns(key(), classes);
  }

  @Override
  public boolean admits(int label, int classes) {
    return realTargets
        ? label >= -TargetRange.ONE && label <= TargetRange.ONE
        : Loss.super.admits(label, classes);
  }

  @Override
  public double value(double[] logits, int label) {
    double sum = 0;
    for (int c = 0; c < logits.length; c++) {
      double target = target(logits.length, c, label);
      double held = Math.max(-bound, Math.min(bound, logits[c]));
      sum += (held - target) * (held - target) / 2 + (held - target) * (logits[c] - held);
    }
    return sum;
  }

  private double target(int columns, int column, int label) {
    return realTargets ? TargetRange.value(label) : Margins.sign(columns, column, label);
  }

  @Override
  public void toResidual(double[] logits, int label) {
    for (int c = 0; c < logits.length; c++) {
      double target = target(logits.length, c, label);
      logits[c] = Math.max(-bound, Math.min(bound, logits[c])) - target;
    }
  }

  @Override
  public double stableLearningRate(int classes) {
    return 3.8;
  }
}
