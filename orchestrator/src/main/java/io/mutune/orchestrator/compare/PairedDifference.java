package io.mutune.orchestrator.compare;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * By how much one strategy's accuracies are above another's, repeat by repeat.
 *
 * @param value their mean
 * @param standardError of it, from how far the repeats' differences spread
 */
public record PairedDifference(double value, double standardError) {
  /** Empty where one repeat says nothing of the error. */
  static Optional<PairedDifference> of(Sample ours, Sample theirs) {
    int repeats = ours.values().size();
    if (repeats != theirs.values().size()) {
      throw new IllegalArgumentException("each repeat of one has to have one of the other");
    }
    if (repeats < 2) {
      return Optional.empty();
    }
    Sample differences =
        new Sample(
            IntStream.range(0, repeats)
                .mapToObj(i -> ours.values().get(i) - theirs.values().get(i))
                .toList());
    return Optional.of(
        new PairedDifference(differences.mean(), differences.spread() / Math.sqrt(repeats)));
  }

  /** In points, with its standard error. */
  public String shown() {
    return String.format(Locale.ROOT, "%+.2f ± %.2f", 100 * value, 100 * standardError);
  }
}
