package io.mutune.orchestrator.compare;

import java.util.List;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * Accuracies of the repeats of one strategy.
 *
 * @param values at least one, in the order of the repeats
 */
public record Sample(List<Double> values) {
  public Sample {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a sample has at least one value");
    }
  }

  public double mean() {
    return statistics().getMean();
  }

  /** The standard deviation of one repeat, unbiased in its square; 0 for one value. */
  public double spread() {
    return statistics().getStandardDeviation();
  }

  public double least() {
    return statistics().getMin();
  }

  public double greatest() {
    return statistics().getMax();
  }

  private DescriptiveStatistics statistics() {
    return new DescriptiveStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
