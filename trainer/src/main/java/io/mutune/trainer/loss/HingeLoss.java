package io.mutune.trainer.loss;

/** max(0, 1 − m) of the margin m; at the kink the slope is taken as 0. */
public record HingeLoss() implements MarginLoss {
  /** In sweeps. */
  static final LossType TYPE = new LossType("hinge", Link.NONE, new HingeLoss());

  @Override
  public String key() {
    return TYPE.key();
  }

  @Override
  public double slope(double margin) {
    return Double.isNaN(margin) ? margin : margin < 1 ? -1 : 0;
  }

  @Override
  public double atMargin(double margin) {
    return Math.max(0, 1 - margin);
  }

  /** The hinge has no curvature to go by: as that of a Huberised one of width ½. */
  @Override
  public double stableLearningRate(int classes) {
    return 3.8;
  }
}
