package io.mutune.accountant.empirical;

import io.mutune.accountant.Delta;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * A lower bound on ε from many runs, with a row and without it, and a test that was fixed
 * beforehand (Jagielski, Ullman and Oprea, NeurIPS 2020). Each error rate is bounded from above
 * (Clopper-Pearson) at half of what may be wrong, so both hold together.
 *
 * @param withoutRow how many runs there were without the row
 * @param falseAlarms in how many of them the test said that it took part
 * @param withRow how many runs there were with it
 * @param missed in how many of them the test said that it did not
 */
public record ManyRunAudit(int withoutRow, int falseAlarms, int withRow, int missed) {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** More than the quantile is off by. */
  private static final double ROOM = 1e-9;

  public ManyRunAudit {
    if (withoutRow < 1
        || withRow < 1
        || falseAlarms < 0
        || falseAlarms > withoutRow
        || missed < 0
        || missed > withRow) {
      throw new IllegalArgumentException(
          "%d false alarms in %d runs, %d missed in %d"
              .formatted(falseAlarms, withoutRow, missed, withRow));
    }
  }

  /**
   * From one number a run: the row is said to have taken part where it lies above the threshold.
   *
   * @param threshold fixed without these runs
   */
  public static ManyRunAudit ofThreshold(double[] without, double[] with, double threshold) {
    return new ManyRunAudit(
        without.length,
        above(without, threshold),
        with.length,
        with.length - above(with, threshold));
  }

  private static int above(double[] values, double threshold) {
    int above = 0;
    for (double value : values) {
      above += value > threshold ? 1 : 0;
    }
    return above;
  }

  /**
   * The mechanism is not (ε, δ)-DP for any ε below this, except with probability {@code alpha}: 1 −
   * δ ≤ FN + e^ε·FP and the same with the two changed.
   */
  public double epsilonAtLeast(Delta delta, double alpha) {
    double alarms = ClopperPearson.upper(falseAlarms, withoutRow, alpha / 2);
    double misses = ClopperPearson.upper(missed, withRow, alpha / 2);
    return Math.max(ratio(alarms, misses, delta), ratio(misses, alarms, delta));
  }

  private static double ratio(double first, double second, Delta delta) {
    double left = 1 - delta.value() - second;
    return left <= first ? 0 : Math.max(0, Math.log(left / first) * (1 - ROOM));
  }

  /**
   * The mechanism is not μ-GDP for any μ below this, except with probability {@code alpha}: Φ⁻¹(1 −
   * FP) − Φ⁻¹(FN) ≤ μ (Nasr et al., <i>Tight Auditing of Differentially Private Machine
   * Learning</i>, USENIX Security 2023). Far stronger than {@link #epsilonAtLeast} where the
   * promise is one of Gaussian DP.
   */
  public double muAtLeast(double alpha) {
    double alarms = ClopperPearson.upper(falseAlarms, withoutRow, alpha / 2);
    double misses = ClopperPearson.upper(missed, withRow, alpha / 2);
    if (alarms + misses >= 1) {
      return 0;
    }
    double mu =
        NORMAL.inverseSurvivalProbability(alarms) - NORMAL.inverseCumulativeProbability(misses);
    return Math.max(0, mu - ROOM);
  }
}
