package io.mutune.trainer.loss;

/**
 * Cross entropy of the logistic function for two classes and one logit z: ln(1 + e^−z) for class 1,
 * ln(1 + e^z) for class 0. The residual is s(z) − label with s(z) = 1/(1 + e^−z).
 */
public record LogisticLoss() implements Loss {
  /** In sweeps. */
  static final LossType TYPE = new LossType("logistic", Link.LOGISTIC, new LogisticLoss());

  @Override
  public String key() {
    return TYPE.key();
  }

  @Override
  public int columns(int classes) {
    if (classes != 2) {
      throw new IllegalArgumentException("logistic needs exactly 2 classes; was " + classes);
    }
    return 1;
  }

  /** ln(1 + e^−m) of the margin m, without overflow. */
  @Override
  public double value(double[] logits, int label) {
    double margin = label == 1 ? logits[0] : -logits[0];
    return Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
  }

  /** Exact at both ends: e^z may overflow, and 1/∞ is the 0 that is meant. */
  @Override
  public void toResidual(double[] logits, int label) {
    double z = logits[0];
    logits[0] = label == 1 ? -1 / (1 + Math.exp(z)) : 1 / (1 + Math.exp(-z));
  }

  @Override
  public double stableLearningRate(int classes) {
    return 15;
  }
}
