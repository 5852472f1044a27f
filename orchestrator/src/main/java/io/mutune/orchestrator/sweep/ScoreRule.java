package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

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
   * A charged noisy count of correct private rows.
   *
   * @param epsilon of each score alone, at the study's δ
   * @param onTraining whether the training rows are counted, else private validation rows
   * @param test what is counted of private test rows, at the same price
   */
  record NoisyCount(Epsilon epsilon, boolean onTraining, TestCount test) implements ScoreRule {
    /** With the accuracy of test rows. */
    public NoisyCount(Epsilon epsilon, boolean onTraining) {
      this(epsilon, onTraining, TestCount.ACCURACY);
    }
  }

  /** What of the private test rows is counted, noisy and charged. */
  enum TestCount {
    /** The right ones, or what real targets earn. */
    ACCURACY,
    /** All, by their class and by what the model says. */
    CONFUSION;

    /** In sweeps; the first is the usual one. */
    public static List<String> keys() {
      return Arrays.stream(values()).map(TestCount::key).toList();
    }

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** One of the {@link #keys}. */
    public static TestCount ofKey(String key) {
      return valueOf(key.toUpperCase(Locale.ROOT));
    }
  }

  /** What is counted of private test rows, where there are any. */
  default TestCount testCount() {
    return this instanceof NoisyCount count ? count.test() : TestCount.ACCURACY;
  }
}
