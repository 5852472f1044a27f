package io.mutune.trainer.loss;

/**
 * A convex function of the margin m = y·z, with y = 1 for the row's class and −1 otherwise: one
 * logit for two classes, where class 1 has y = 1; with more classes one logit a class, each against
 * the rest, added up.
 */
sealed interface MarginLoss extends Loss permits HingeLoss, HuberHingeLoss {
  /** dℓ/dm, in [−1, 0]; no number for a margin that is none. */
  double slope(double margin);

  /** ℓ(m). */
  double atMargin(double margin);

  @Override
  default double value(double[] logits, int label) {
    double sum = 0;
    for (int c = 0; c < logits.length; c++) {
      sum += atMargin(Margins.sign(logits.length, c, label) * logits[c]);
    }
    return sum;
  }

  @Override
  default int columns(int classes) {
    return Margins.columns(key(), classes);
  }

  @Override
  default void toResidual(double[] logits, int label) {
    for (int c = 0; c < logits.length; c++) {
      int y = Margins.sign(logits.length, c, label);
      logits[c] = y * slope(y * logits[c]);
    }
  }
}
