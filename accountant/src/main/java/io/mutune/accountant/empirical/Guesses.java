package io.mutune.accountant.empirical;

import java.util.Arrays;
import java.util.Comparator;

/**
 * What an attacker who saw one run said of rows that each took part by a fair coin of its own.
 *
 * @param rows m, how many coins were thrown
 * @param made r, how many of them the attacker guessed; fixed before the coins were thrown
 * @param right v, how many of the guesses are right
 */
public record Guesses(int rows, int made, int right) {
  public Guesses {
    if (rows < 1 || made < 0 || made > rows || right < 0 || right > made) {
      throw new IllegalArgumentException(
          "%d of %d guesses right, of %d rows".formatted(right, made, rows));
    }
  }

  /**
   * Says of the rows with the greatest scores that they took part, of those with the least that
   * they did not, and nothing of the others. Ties go by position, which knows no coin; a score that
   * is no number counts as 0.
   *
   * @param scores one a row, made without the coins
   * @param member the coins
   * @param each how many guesses are made at either end, at most half the rows; fixed beforehand
   */
  public static Guesses ofExtremes(double[] scores, boolean[] member, int each) {
    int rows = scores.length;
    if (member.length != rows || each < 0 || each > rows / 2) {
      throw new IllegalArgumentException(
          "%d guesses at either end of %d scores for %d rows".formatted(each, rows, member.length));
    }
    Integer[] order = new Integer[rows];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> value(scores[i])));
    int right = 0;
    for (int i = 0; i < each; i++) {
      right += member[order[i]] ? 0 : 1;
      right += member[order[rows - 1 - i]] ? 1 : 0;
    }
    return new Guesses(rows, 2 * each, right);
  }

  private static double value(double score) {
    return Double.isNaN(score) ? 0 : score + 0.0;
  }
}
