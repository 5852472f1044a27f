package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.Metric;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How trials are scored. */
public sealed interface ScoreRule {
  /** There are no trials. */
  record None() implements ScoreRule {}

  /** Accuracy on public validation rows: free. */
  record PublicValidation() implements ScoreRule {}

  /**
   * The exact accuracy on the training rows, which the sweep declares open: nothing is charged, and
   * the study's guarantee is void.
   */
  record Uncharged() implements ScoreRule {}

  /**
   * Charged noisy counts of private rows.
   *
   * @param epsilon of each score alone, at the study's δ
   * @param onTraining whether the training rows are counted, else private validation rows
   * @param test what is counted of private test rows, each at the same price
   */
  record NoisyCount(Epsilon epsilon, boolean onTraining, Set<TestCount> test) implements ScoreRule {
    public NoisyCount {
      test = Collections.unmodifiableSet(EnumSet.copyOf(test));
    }

    /** With the accuracy of test rows. */
    public NoisyCount(Epsilon epsilon, boolean onTraining) {
      this(epsilon, onTraining, EnumSet.of(TestCount.ACCURACY));
    }
  }

  /** What of the private test rows is counted, noisy, each a charge of its own. */
  enum TestCount {
    /** The right ones, or what real targets earn. */
    ACCURACY,
    /** All, by their class and by what the model says. */
    CONFUSION,
    /** All, by bins of how sure the model is of a class: of more than two of each one. */
    PROBABILITIES,
    /** Of real targets the squared errors, with what tells how far targets vary. */
    SQUARED_ERROR;

    /** In sweeps; the first is the usual one. */
    public static List<String> keys() {
      return Arrays.stream(values()).map(TestCount::key).toList();
    }

    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is counted of the rows of a sweep. */
    public Counts counts(SweepDefinition sweep) {
      return switch (this) {
        case ACCURACY -> Metric.ACCURACY.counts(sweep.train().loss(), sweep.classes());
        case CONFUSION -> Counts.confusion(sweep.classes());
        case PROBABILITIES -> Counts.bins(sweep.train().loss(), sweep.classes());
        case SQUARED_ERROR -> Counts.squares();
      };
    }

    /** One of the {@link #keys}. */
    public static TestCount ofKey(String key) {
      return valueOf(key.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
  }

  /** What is counted of private test rows, where there are any. */
  default Set<TestCount> testCounts() {
    return this instanceof NoisyCount count ? count.test() : EnumSet.of(TestCount.ACCURACY);
  }
}
