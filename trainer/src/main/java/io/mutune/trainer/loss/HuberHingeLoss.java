package io.mutune.trainer.loss;

import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;

/**
 * The hinge with its kink rounded off (Chaudhuri, Monteleoni and Sarwate 2011, section 3.4.3): 0
 * for m ≥ 1 + h, (1 + h − m)²/(4h) within h of 1, and 1 − m below. Its curvature is at most 1/(2h).
 *
 * @param width h, in (0, 1]
 */
public record HuberHingeLoss(double width) implements MarginLoss {
  /** The width in the experiments of that paper. */
  public static final double USUAL_WIDTH = 0.5;

  private static final Setting<Double> WIDTH =
      Setting.number("huberWidth", NumberRule.above(0, 1), "").usually(USUAL_WIDTH);

  /** In sweeps. */
  static final LossType TYPE =
      new LossType(
          "huber-hinge",
          List.of(WIDTH),
          Link.NONE,
          (given, realTargets) -> new HuberHingeLoss(given.get(WIDTH)));

  public HuberHingeLoss {
    if (!(width > 0 && width <= 1)) {
      throw new IllegalArgumentException("the width must be in (0, 1]; was " + width);
    }
  }

  @Override
  public String key() {
    return TYPE.key();
  }

  /** −(1 + h − m)/(2h), held between −1 and 0. */
  @Override
  public double slope(double margin) {
    return -Math.max(0, Math.min(1, (1 + width - margin) / (2 * width)));
  }

  @Override
  public double atMargin(double margin) {
    double below = 1 + width - margin;
    return below > 2 * width ? 1 - margin : Math.max(0, below) * Math.max(0, below) / (4 * width);
  }

  @Override
  public double stableLearningRate(int classes) {
    return 7.6 * width;
  }
}
