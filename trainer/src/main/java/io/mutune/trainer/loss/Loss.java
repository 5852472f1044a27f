package io.mutune.trainer.loss;

import java.io.Serializable;
import java.util.List;

/**
 * What a linear model is trained to make small, as a function of one row's logits and label. Its
 * gradient at row x is x ⊗ ∂ℓ/∂z, whose norm is exactly ‖x‖·‖∂ℓ/∂z‖.
 */
public sealed interface Loss extends Serializable
    permits SoftmaxLoss, LogisticLoss, MarginLoss, SquaredLoss, WeightedLoss {
  /** That of {@link #stableLearningRate(int)}. */
  double USUAL_MOMENTUM = 0.9;

  /** Every loss; the first is the usual one for classes, the last for real targets. */
  static List<LossType> all() {
    return List.of(
        SoftmaxLoss.TYPE, LogisticLoss.TYPE, HingeLoss.TYPE, HuberHingeLoss.TYPE, SquaredLoss.TYPE);
  }

  /** The name in sweeps and statements. */
  String key();

  /** What a row is judged by before its class is weighted: this loss, where classes have none. */
  default Loss unweighted() {
    return this;
  }

  /**
   * The number of logits a row has.
   *
   * @param classes at least 2, or 0 for real targets
   * @throws IllegalArgumentException if the loss is not made for so many classes
   */
  int columns(int classes);

  /**
   * The loss itself, which {@link #toResidual} is the gradient of; 0 or more, or no number.
   *
   * @param logits {@code [columns]}, not written to
   * @param label one that {@link #admits}
   */
  double value(double[] logits, int label);

  /** How the scores of a model that it has trained tell of probabilities. */
  default Link link() {
    return LossType.linkOf(unweighted().key());
  }

  /**
   * Replaces a row's logits by ∂loss/∂logits. A result that is not a number stays so; nothing is
   * thrown for any logits.
   *
   * @param logits {@code [columns]}, overwritten
   * @param label one that {@link #admits}
   */
  void toResidual(double[] logits, int label);

  /**
   * Whether that is a class index from 0, or the code of a target; rows without one add nothing.
   */
  default boolean admits(int label, int classes) {
    return label >= 0 && label < classes;
  }

  /**
   * The greatest learning rate at which gradient descent with momentum 0.9 on the mean loss of
   * unit-norm rows is stable: 2(1 + 0.9) over the greatest curvature of the loss in its logits,
   * rounded down to two digits.
   */
  double stableLearningRate(int classes);

  /**
   * The same at any momentum, where gradients are clipped at {@code clipNorm}: a gradient that is
   * cut to a share of its length curves by that share, and at zero weights every row of unit norm
   * is cut alike. Rows that are fitted later are not cut and curve less than they did; measured on
   * MNIST, where η of 240 to 550 at C = 0.1 and 10 classes were stable (360 here).
   *
   * @param momentum β of heavy-ball descent, in [0, 1): its limit is 2(1 + β) over the curvature
   */
  default double stableLearningRate(int classes, double clipNorm, double momentum) {
    double[] residual = new double[columns(classes)];
    toResidual(residual, 0);
    double squares = 0;
    for (double r : residual) {
      squares += r * r;
    }
    double faster = (1 + momentum) / (1 + USUAL_MOMENTUM);
    return stableLearningRate(classes) * faster * Math.max(1, Math.sqrt(squares) / clipNorm);
  }
}
