package io.mutune.trainer.loss;

/**
 * Cross entropy of the softmax, one logit a class: −ln p(label) with p = softmax(z). The residual
 * is p − e(label).
 */
public record SoftmaxLoss() implements Loss {
  /** In sweeps. */
  static final LossType TYPE = new LossType("softmax", Link.SOFTMAX, new SoftmaxLoss());

  @Override
  public String key() {
    return TYPE.key();
  }

  @Override
  public int columns(int classes) {
    if (classes < 2) {
      throw new IllegalArgumentException("softmax needs at least 2 classes; was " + classes);
    }
    return classes;
  }

  @Override
  public double value(double[] logits, int label) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (double logit : logits) {
      greatest = Math.max(greatest, logit);
    }
    double sum = 0;
    for (double logit : logits) {
      sum += Math.exp(logit - greatest);
    }
    return Math.log(sum) + (greatest - logits[label]);
  }

  @Override
  public void toResidual(double[] logits, int label) {
    Link.SOFTMAX.probabilities(logits, logits);
    logits[label] -= 1;
  }

  /** From zero weights, where the curvature is 1 over the number of classes. */
  @Override
  public double stableLearningRate(int classes) {
    return 3.8 * classes;
  }
}
