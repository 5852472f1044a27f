package io.mutune.orchestrator.reproduce;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of a claim.
 *
 * @param ours empty where it cannot be tried
 * @param verdict in its word
 * @param why it cannot be tried, or comes out worse
 */
public record ClaimResult(
    String name,
    Optional<String> says,
    OptionalDouble published,
    Optional<Ours> ours,
    String verdict,
    Optional<String> why) {
  /**
   * Our figure; ends of its 95% interval that nothing bounds are left out.
   *
   * @param value the mean over the repeats; empty of an error reduction where there was no error to
   *     be reduced
   * @param epsilon of everything that led to a model, the greatest of the repeats, and of both ways
   *     where the figure is a difference; of ways that protect rows, and empty where none does
   * @param finalEpsilon of the final run alone, which is what most papers count; likewise
   */
  public record Ours(
      OptionalDouble value,
      OptionalDouble low,
      OptionalDouble high,
      int repeats,
      OptionalDouble epsilon,
      OptionalDouble finalEpsilon) {}

  static ClaimResult of(Claim claim, ClaimedMetric figure, Ours ours) {
    Verdict verdict =
        claim.published().isPresent()
            ? Verdict.of(
                figure,
                claim.published().getAsDouble(),
                ours.low.orElse(Double.NEGATIVE_INFINITY),
                ours.high.orElse(Double.POSITIVE_INFINITY),
                figure == ClaimedMetric.ERROR_REDUCTION || claim.way().isDifference())
            : Verdict.NONE;
    return of(
        claim,
        Optional.of(ours),
        verdict,
        claim.reason().filter(reason -> verdict == Verdict.WORSE));
  }

  static ClaimResult unobtainable(Claim claim, String why) {
    return of(claim, Optional.empty(), Verdict.NOT_OBTAINABLE, Optional.of(why));
  }

  static ClaimResult notTried(Claim claim, String why) {
    return of(claim, Optional.empty(), Verdict.NOT_TRIED, Optional.of(why));
  }

  /** Whether what it needs was not there. */
  @JsonIgnore
  public boolean isNotTried() {
    return verdict.equals(Verdict.NOT_TRIED.word());
  }

  private static ClaimResult of(
      Claim claim, Optional<Ours> ours, Verdict verdict, Optional<String> why) {
    return new ClaimResult(
        claim.name(), claim.says(), claim.published(), ours, verdict.word(), why);
  }
}
