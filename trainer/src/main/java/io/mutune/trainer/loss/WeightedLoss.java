package io.mutune.trainer.loss;

/**
 * A loss of classes, times the weight of the row's class. As no factor is above 1, every bound on
 * the loss, its slope and its curvature stays one; and as a row is weighted before its gradient is
 * clipped, what a row or a person adds to a sum stays within the clip norm. Whoever looks for what
 * kind of loss this is asks {@link #unweighted}.
 *
 * @param unweighted of classes
 * @param weights one for each class
 */
public record WeightedLoss(Loss unweighted, ClassWeights weights) implements Loss {
  public WeightedLoss {
    if (unweighted instanceof WeightedLoss) {
      throw new IllegalArgumentException("a loss is weighted once");
    }
  }

  @Override
  public String key() {
    return unweighted.key();
  }

  @Override
  public int columns(int classes) {
    if (classes != weights.factors().size()) {
      throw new IllegalArgumentException(
          "there are %d class weights for %d classes".formatted(weights.factors().size(), classes));
    }
    return unweighted.columns(classes);
  }

  @Override
  public double value(double[] logits, int label) {
    return weights.factors().get(label) * unweighted.value(logits, label);
  }

  @Override
  public void toResidual(double[] logits, int label) {
    unweighted.toResidual(logits, label);
    double factor = weights.factors().get(label);
    for (int c = 0; c < logits.length; c++) {
      logits[c] *= factor;
    }
  }

  @Override
  public boolean admits(int label, int classes) {
    return unweighted.admits(label, classes);
  }

  /** The unweighted one's, which is stable here too: no row is as curved as that. */
  @Override
  public double stableLearningRate(int classes) {
    return unweighted.stableLearningRate(classes);
  }

  /** Likewise: a light row that is not cut curves by its weight, below what a cut one keeps. */
  @Override
  public double stableLearningRate(int classes, double clipNorm, double momentum) {
    return unweighted.stableLearningRate(classes, clipNorm, momentum);
  }
}
