package io.mutune.trainer.score;

import io.mutune.trainer.table.ColumnGroups;
import java.util.List;
import java.util.Optional;

/**
 * Figures from noisy counts of private rows, of each family of counts that was charged; nothing
 * here reads a row.
 *
 * @param units the public number of units
 * @param accuracy of right rows, or of real targets the mean closeness
 * @param classes from a confusion matrix
 * @param groups from one of each group, where rows were counted by group
 * @param bins from bins of what the model says of a class
 * @param targets from squared errors
 */
public record NoisyTestMetrics(
    PublicUnits units,
    Optional<Estimate> accuracy,
    Optional<NoisyClassMetrics> classes,
    Optional<Groups> groups,
    Optional<NoisyBinMetrics> bins,
    Optional<NoisyTargetMetrics> targets)
    implements TestMetrics {

  /** By the values of a column, in their order. */
  public record Groups(ColumnGroups by, List<NoisyClassMetrics> each) {
    public Groups {
      each = List.copyOf(each);
    }
  }

  /**
   * Of a confusion matrix alone, by group or not.
   *
   * @param released of {@link Counts#confusion}
   */
  public static NoisyTestMetrics ofConfusion(
      PublicUnits units, double sigma, double[] released, Optional<ColumnGroups> by) {
    int groups = by.map(column -> column.names().size()).orElse(1);
    List<NoisyClassMetrics> all = NoisyClassMetrics.ofGroups(units, sigma, released, groups);
    return new NoisyTestMetrics(
        units,
        Optional.empty(),
        Optional.of(all.get(0)),
        by.map(column -> new Groups(column, all.subList(1, all.size()))),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The share of rows that are right with its interval. Closeness varies from row to row by no more
   * than right and wrong do.
   *
   * @param right the noisy sum
   */
  public static Estimate accuracy(double right, double sigma, PublicUnits units) {
    return NoisyRatio.of(right, (double) units.count(), p -> sigma * sigma + units.variance(p));
  }

  @Override
  public long rows() {
    return units.count();
  }
}
