package io.mutune.orchestrator.reproduce;

import java.util.Optional;

/**
 * What came of a claim.
 *
 * @param ours empty where it cannot be tried
 * @param why it cannot be tried, or comes out worse
 */
public record ClaimResult(Claim claim, Optional<Ours> ours, Verdict verdict, Optional<String> why) {
  /**
   * Our figure.
   *
   * @param mean over the repeats
   * @param low where its 95% interval begins; may be infinite
   * @param high where that ends
   * @param epsilon of everything that led to a model, the greatest of the repeats, and of both ways
   *     where the figure is a difference; of ways that protect rows, and infinite where none does
   * @param finalEpsilon of the final run alone, which is what most papers count
   */
  public record Ours(
      double mean, double low, double high, int repeats, double epsilon, double finalEpsilon) {}

  static ClaimResult of(Claim claim, ClaimedMetric figure, Ours ours) {
    Verdict verdict =
        claim.published().isPresent()
            ? Verdict.of(figure, claim.published().getAsDouble(), ours.low, ours.high)
            : Verdict.NONE;
    return new ClaimResult(
        claim,
        Optional.of(ours),
        verdict,
        claim.reason().filter(reason -> verdict == Verdict.WORSE));
  }

  static ClaimResult unobtainable(Claim claim, String why) {
    return new ClaimResult(claim, Optional.empty(), Verdict.NOT_OBTAINABLE, Optional.of(why));
  }
}
