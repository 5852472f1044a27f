package io.mutune.trainer.score;

import java.util.List;

/**
 * Where figures of {@link ClassMetrics} lie in the population that the rows were drawn from, with
 * 95%.
 */
public final class ClassIntervals {
  private ClassIntervals() {}

  /** Wilson's; anything where the model calls no row so. */
  public static Estimate precision(ClassMetrics.OfClass of) {
    return share(of.right(), of.said());
  }

  /** Wilson's; anything where there are no rows of the class. */
  public static Estimate recall(ClassMetrics.OfClass of) {
    return share(of.right(), of.rows());
  }

  private static Estimate share(long hits, long of) {
    return of == 0 ? new Estimate(0, 0, 1) : Estimate.ofShare(hits, of);
  }

  /**
   * By Wilson's interval of the share J that is right of the rows that are of the class or are
   * called so, as F1 = 2J/(1 + J); anything where there are none.
   */
  public static Estimate f1(ClassMetrics.OfClass of) {
    Estimate share = share(of.right(), of.rows() + of.said() - of.right());
    return new Estimate(of.f1(), ofShare(share.low()), ofShare(share.high()));
  }

  private static double ofShare(double share) {
    return 2 * share / (1 + share);
  }

  /**
   * Of a mean of independent shares, from Wilson's intervals of each (Zou and Donner 2008), of the
   * classes that have rows.
   */
  public static Estimate balancedAccuracy(ClassMetrics metrics) {
    List<Estimate> recalls =
        metrics.classes().stream().filter(c -> c.rows() > 0).map(ClassIntervals::recall).toList();
    double below = 0;
    double above = 0;
    for (Estimate recall : recalls) {
      below += (recall.value() - recall.low()) * (recall.value() - recall.low());
      above += (recall.high() - recall.value()) * (recall.high() - recall.value());
    }
    double value = metrics.balancedAccuracy();
    double count = Math.max(1, recalls.size());
    return new Estimate(
        value,
        Math.max(0, value - Math.sqrt(below) / count),
        Math.min(1, value + Math.sqrt(above) / count));
  }

  /**
   * By the delta method in the cells of the confusion matrix, among which two more rows are spread
   * as in Agresti and Coull's interval, so that no interval is a single point. Without a matrix the
   * mean of the classes' intervals, which is wider.
   */
  public static Estimate macroF1(ClassMetrics metrics) {
    List<ClassMetrics.OfClass> classes = metrics.classes();
    double value = metrics.macroF1();
    if (metrics.confusion().isEmpty()) {
      Estimate mean =
          Estimate.mean(
              classes.stream().filter(c -> c.rows() > 0).map(ClassIntervals::f1).toList());
      return new Estimate(value, mean.low(), mean.high());
    }
    int count = classes.size();
    long present = Math.max(1, classes.stream().filter(c -> c.rows() > 0).count());
    double variance = 0;
    for (int of = 0; of < count; of++) {
      for (int said = 0; said < count; said++) {
        double slope = (of == said ? 2 * weight(classes.get(of)) : 0);
        slope -= classes.get(of).f1() * weight(classes.get(of));
        slope -= classes.get(said).f1() * weight(classes.get(said));
        double rows = metrics.confusion().get(of).get(said) + 2.0 / count / count;
        variance += rows * slope * slope / present / present;
      }
    }
    double half = Estimate.QUANTILE * Math.sqrt(variance);
    return new Estimate(value, Math.max(0, value - half), Math.min(1, value + half));
  }

  /** 1 over what F1 is a share of; 0 of a class that does not count. */
  private static double weight(ClassMetrics.OfClass of) {
    return of.rows() == 0 ? 0 : 1.0 / (of.rows() + of.said());
  }
}
