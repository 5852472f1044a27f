package io.mutune.trainer.loss;

/**
 * How the scores of a linear model tell of probabilities, which follows from its loss: where they
 * do, the loss of a row is −ln p(its class).
 */
public enum Link {
  /** The scores are those of the classes' probabilities before they are made to add up to 1. */
  SOFTMAX,

  /** The one score is the logarithm of the odds of class 1. */
  LOGISTIC,

  /**
   * Not at all: the greatest score is the class, and how far it is ahead means nothing by itself.
   */
  NONE;

  /**
   * The probability of each class.
   *
   * @param scores as many as the model has columns
   * @param into one place for each class; of {@link #SOFTMAX} it may be {@code scores}
   * @throws IllegalStateException of {@link #NONE}
   */
  public void probabilities(double[] scores, double[] into) {
    switch (this) {
      case SOFTMAX -> softmax(scores, into);
      case LOGISTIC -> {
        into[0] = 1 / (1 + Math.exp(scores[0]));
        into[1] = 1 / (1 + Math.exp(-scores[0]));
      }
      case NONE -> throw new IllegalStateException("these scores tell of no probabilities");
    }
  }

  private static void softmax(double[] scores, double[] into) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (double score : scores) {
      greatest = Math.max(greatest, score);
    }
    double sum = 0;
    for (int c = 0; c < scores.length; c++) {
      into[c] = Math.exp(scores[c] - greatest);
      sum += into[c];
    }
    for (int c = 0; c < scores.length; c++) {
      into[c] /= sum;
    }
  }
}
