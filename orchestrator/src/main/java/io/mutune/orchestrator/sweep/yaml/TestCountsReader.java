package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.ScoreRule.TestCount;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.score.Counts;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code search.score.test}: what is counted of private test rows, one family of counts or a
 * list of several, each of which is charged.
 */
final class TestCountsReader {
  private static final String KEY = "test";

  private TestCountsReader() {}

  /** Empty where the sweep does not say, or something is wrong, which is noted. */
  static Optional<Set<TestCount>> read(YamlSection score, DataReader data) {
    if (!score.has(KEY)) {
      return Optional.empty();
    }
    Optional<List<String>> words =
        score.isSequence(KEY) ? score.texts(KEY) : score.word(KEY, TestCount.keys()).map(List::of);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    EnumSet<TestCount> counts = EnumSet.noneOf(TestCount.class);
    for (String word : words.get()) {
      if (!TestCount.keys().contains(word) || !counts.add(TestCount.ofKey(word))) {
        score.broken(
            KEY, "must be some of " + String.join(", ", TestCount.keys()) + ", each once", word);
        return Optional.empty();
      }
    }
    Optional<String> problem = problem(counts, data);
    problem.ifPresent(rule -> score.broken(KEY, rule));
    return problem.isPresent() ? Optional.empty() : Optional.of(counts);
  }

  private static Optional<String> problem(Set<TestCount> counts, DataReader data) {
    if (!data.isPrivate(KEY).orElse(false)) {
      return Optional.of(
          "is for private test rows; of public ones every figure is free: leave it out");
    }
    int classes = data.classCount().orElse(2);
    boolean ofClasses =
        counts.contains(TestCount.CONFUSION) || counts.contains(TestCount.PROBABILITIES);
    if (classes == Labelling.REAL && ofClasses) {
      return Optional.of(
          "must be accuracy, with squared-error or without, where targets are real: there are no"
              + " classes");
    }
    if (classes > Counts.MOST_CLASSES && ofClasses) {
      return Optional.of("must be accuracy for more than " + Counts.MOST_CLASSES + " classes");
    }
    if (classes != Labelling.REAL && counts.contains(TestCount.SQUARED_ERROR)) {
      return Optional.of("must not be squared-error where labels are classes");
    }
    if (counts.contains(TestCount.ACCURACY) && counts.contains(TestCount.CONFUSION)) {
      return Optional.of("must not be accuracy and confusion: the second tells the first");
    }
    boolean tellsAccuracy =
        counts.contains(TestCount.ACCURACY)
            || counts.contains(TestCount.CONFUSION)
            || (counts.equals(EnumSet.of(TestCount.PROBABILITIES)) && classes == 2);
    return tellsAccuracy
        ? Optional.empty()
        : Optional.of(
            classes == Labelling.REAL
                ? "must have accuracy too, of which the mean absolute error follows: write"
                    + " [accuracy, squared-error]"
                : "must have accuracy or confusion too, as bins of more than two classes tell of"
                    + " no accuracy: write [confusion, probabilities]");
  }
}
