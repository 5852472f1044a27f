package io.mutune.trainer.score;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Which targets rows have of which a model says about the same: rows by what it says, in {@value
 * #BINS} equal parts of the public range from −1 to 1.
 */
public record TargetSpread(List<Bin> bins) {
  /** Fixed, so that no row decides where a bin ends. */
  public static final int BINS = 20;

  public TargetSpread {
    bins = List.copyOf(bins);
  }

  /**
   * The rows of a bin. A bin without rows has its middle for all figures.
   *
   * @param said the mean prediction
   * @param low that a tenth of the targets are below
   * @param median of the targets
   * @param high that a tenth of the targets are above
   */
  public record Bin(long rows, double said, double low, double median, double high) {}

  /**
   * @param said predictions in [−1, 1]
   * @param targets of the same index
   */
  static TargetSpread of(double[] said, double[] targets) {
    List<DoubleStream.Builder> parts = new ArrayList<>();
    double[] sums = new double[BINS];
    for (int bin = 0; bin < BINS; bin++) {
      parts.add(DoubleStream.builder());
    }
    for (int i = 0; i < said.length; i++) {
      int bin = Math.min(BINS - 1, (int) (BINS * (said[i] + 1) / 2));
      parts.get(bin).add(targets[i]);
      sums[bin] += said[i];
    }
    List<Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < BINS; bin++) {
      bins.add(bin(bin, sums[bin], parts.get(bin).build().toArray()));
    }
    return new TargetSpread(bins);
  }

  private static Bin bin(int bin, double sum, double[] targets) {
    if (targets.length == 0) {
      double middle = 2 * (bin + 0.5) / BINS - 1;
      return new Bin(0, middle, middle, middle, middle);
    }
    Arrays.sort(targets);
    return new Bin(
        targets.length,
        sum / targets.length,
        quantile(targets, 0.1),
        quantile(targets, 0.5),
        quantile(targets, 0.9));
  }

  /** Between two values in proportion. */
  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
