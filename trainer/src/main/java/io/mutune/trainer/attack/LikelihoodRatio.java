package io.mutune.trainer.attack;

/**
 * LiRA (Carlini et al., <i>Membership Inference Attacks From First Principles</i>, S&amp;P 2022):
 * of reference models, some trained with a row and some without, each side's confidences in it make
 * a normal law; the target's confidence is judged by the ratio of the two.
 */
public final class LikelihoodRatio {
  /** Keeps laws of few models from being points. */
  private static final double LEAST_VARIANCE = 1e-6;

  private LikelihoodRatio() {}

  /**
   * The logarithm of the ratio for each row; 0 where one side has fewer than two models.
   *
   * @param references {@code [models][rows]} confidences
   * @param member {@code [models][rows]} whether the model learned from the row
   * @param target {@code [rows]} confidences of the model under attack
   */
  public static double[] scores(double[][] references, boolean[][] member, double[] target) {
    double[] scores = new double[target.length];
    for (int row = 0; row < scores.length; row++) {
      Normal in = Normal.of(references, member, row, true);
      Normal out = Normal.of(references, member, row, false);
      boolean enough = in.count > 1 && out.count > 1;
      scores[row] = enough ? in.log(target[row]) - out.log(target[row]) : 0;
    }
    return scores;
  }

  private record Normal(int count, double mean, double variance) {
    static Normal of(double[][] references, boolean[][] member, int row, boolean side) {
      int count = 0;
      double sum = 0;
      for (int m = 0; m < references.length; m++) {
        if (member[m][row] == side) {
          count++;
          sum += references[m][row];
        }
      }
      double mean = count == 0 ? 0 : sum / count;
      double squares = 0;
      for (int m = 0; m < references.length; m++) {
        if (member[m][row] == side) {
          squares += (references[m][row] - mean) * (references[m][row] - mean);
        }
      }
      return new Normal(count, mean, Math.max(LEAST_VARIANCE, squares / Math.max(1, count - 1)));
    }

    double log(double x) {
      return -(x - mean) * (x - mean) / (2 * variance) - Math.log(variance) / 2;
    }
  }
}
