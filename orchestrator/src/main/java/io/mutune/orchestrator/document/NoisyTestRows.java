package io.mutune.orchestrator.document;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.PublicUnits;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The private test rows that noisy figures are of.
 *
 * @param rows the public number of them, or of the people whose rows they are
 * @param unit {@code person} of such people, of whom each counts as one row; empty else
 * @param heldOut the share of the private rows that they are, where so many are only expected
 */
public record NoisyTestRows(long rows, Optional<String> unit, OptionalDouble heldOut) {
  static NoisyTestRows of(PublicUnits units, SweepDefinition sweep) {
    return new NoisyTestRows(
        units.count(),
        PlanDocument.unit(sweep),
        units.share() < 1 ? OptionalDouble.of(units.share()) : OptionalDouble.empty());
  }

  /** In words, as the begin of a sentence. */
  String words() {
    return "On %s, as %s, by counts with noise"
        .formatted(
            (unit.isPresent() ? "the private test rows of %d people" : "%d private test rows")
                .formatted(rows),
            heldOut.isPresent() ? "expected" : "stated");
  }

  /** What is counted. */
  String counted() {
    return PlanDocument.counted(unit);
  }

  /** The head of a column of noisy counts. */
  public String head() {
    return (unit.isPresent() ? "people" : "test rows") + ", noisy";
  }
}
