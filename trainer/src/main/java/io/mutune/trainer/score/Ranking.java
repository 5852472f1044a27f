package io.mutune.trainer.score;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How well scores put the rows of one class above all others, whatever they mean.
 *
 * @param auc the area under the receiver operating characteristic: the share of pairs of a row of
 *     the class and another one in which the first has the higher score, half of those that tie;
 *     always saying the same has ½
 * @param averagePrecision the mean precision over the recalls that thresholds reach, rows of one
 *     score taken together; scores that tell nothing have the class's share of rows
 * @param curve what thresholds reach, from one above every score to one that none is below: {@value
 *     #POINTS} and one of them, so that how many follows from no score; none of a mean
 */
public record Ranking(Estimate auc, Estimate averagePrecision, List<Point> curve) {
  private static final int POINTS = 50;

  public Ranking {
    curve = List.copyOf(curve);
  }

  /**
   * What calling every row so whose score is at least a threshold reaches: a point of the receiver
   * operating characteristic, and of precision against recall.
   *
   * @param falsePositives of the other rows those called so
   * @param recall of the rows of the class
   * @param precision of the rows called so those of the class
   */
  public record Point(double falsePositives, double recall, double precision) {}

  /**
   * By sorting; both arrays are sorted.
   *
   * @param of scores of rows of the class, finite, at least one
   * @param others scores of the other rows, finite, at least one
   */
  static Ranking of(double[] of, double[] others) {
    Arrays.sort(of);
    Arrays.sort(others);
    double below = 0;
    double precisions = 0;
    int above = others.length;
    List<Point> reaches = new ArrayList<>(List.of(new Point(0, 0, 1)));
    for (int i = of.length - 1; i >= 0; ) {
      double score = of[i];
      int end = i;
      while (i >= 0 && of[i] == score) {
        i--;
      }
      int higher = above;
      while (higher > 0 && others[higher - 1] > score) {
        higher--;
      }
      above = higher;
      while (above > 0 && others[above - 1] == score) {
        above--;
      }
      int here = end - i;
      below += here * (above + (higher - above) / 2.0);
      double reached = of.length - 1 - i;
      double wrong = others.length - above;
      precisions += here * reached / (reached + wrong);
      reaches.add(
          new Point(wrong / others.length, reached / of.length, reached / (reached + wrong)));
    }
    double all = (double) of.length + others.length;
    reaches.add(new Point(1, 1, of.length / all));
    return new Ranking(
        auc(below / of.length / others.length, of.length, others.length),
        Estimate.ofShare(precisions / of.length, of.length),
        curve(reaches));
  }

  /** The first that go so far each, by the mean of both rates. */
  private static List<Point> curve(List<Point> reaches) {
    List<Point> curve = new ArrayList<>();
    int next = 0;
    for (int i = 0; i <= POINTS; i++) {
      double far = 2.0 * i / POINTS;
      while (next < reaches.size() - 1
          && reaches.get(next).falsePositives() + reaches.get(next).recall() < far) {
        next++;
      }
      curve.add(reaches.get(next));
    }
    return curve;
  }

  /** The mean over classes. That of their intervals is one of it: errors add up to no more. */
  static Ranking mean(List<Ranking> classes) {
    return new Ranking(
        Estimate.mean(classes.stream().map(Ranking::auc).toList()),
        Estimate.mean(classes.stream().map(Ranking::averagePrecision).toList()),
        List.of());
  }

  /**
   * With the areas θ from which it is at most 1.96 deviations of θ away (Newcombe 2006, method 5):
   * like Wilson's, it says something where every pair is right.
   */
  private static Estimate auc(double value, long of, long others) {
    return new Estimate(
        value,
        Math.min(value, furthest(value, 0, of, others)),
        Math.max(value, furthest(value, 1, of, others)));
  }

  private static double furthest(double value, double end, long of, long others) {
    double within = value;
    double beyond = end;
    for (int i = 0; i < 60; i++) {
      double middle = (within + beyond) / 2;
      double distance = (value - middle) / Estimate.QUANTILE;
      if (distance * distance < variance(middle, of, others)) {
        within = middle;
      } else {
        beyond = middle;
      }
    }
    return beyond;
  }

  /** Of an area, by Hanley and McNeil (1982), with both numbers of pairs taken as their mean. */
  static double variance(double area, long of, long others) {
    double more = (of + others) / 2.0 - 1;
    return area
        * (1 - area)
        * (1 + more * (1 - area) / (2 - area) + more * area / (1 + area))
        / of
        / others;
  }
}
