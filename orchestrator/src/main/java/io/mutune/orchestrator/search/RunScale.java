package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.util.Map;

/**
 * What a radius means in this study, from public numbers alone: the unit ν of notes on the method,
 * the standard deviation of the noise that a whole run adds to one logit of a unit-norm row, ν = r
 * · s · C / ((1 − β) · μ · n).
 *
 * @param sumSensitivity s, of the sum of clipped gradients in clip norms: 1 or 2 by adjacency
 * @param clipNorm C
 * @param momentum β
 * @param rows n, the public row count
 * @param logits columns of the weight matrix
 * @param largestStableLearningRate steps larger than this oscillate on unit-norm rows
 * @param natural whether ν says what it should: not for methods that scale each coordinate anew
 */
public record RunScale(
    int sumSensitivity,
    double clipNorm,
    double momentum,
    long rows,
    int logits,
    double largestStableLearningRate,
    boolean natural) {
  /** Where a search looks for ν unless it is told. */
  public static final Interval USUAL_NOISE = new Interval(0.2, 8, Interval.Scale.LOG);

  /** Where studies looked that were planned with it. */
  public static final Interval EARLIER_NOISE = new Interval(0.1, 10, Interval.Scale.LOG);

  /** Of a row of unit norm at zero weights: that of one logistic logit. */
  private static final double LEAST_GRADIENT = 0.5;

  /**
   * Of a run with these settings: with its own clip norm, where that is one of them and a step is
   * in units of it. Gradients that are cut to a share of their length curve by that share, and all
   * losses here have a first gradient of {@link #LEAST_GRADIENT} at least.
   */
  public RunScale with(Map<String, Double> settings) {
    Double clip = settings.get(SearchedNumbers.CLIP_NORM);
    if (clip == null) {
      return this;
    }
    double stable = largestStableLearningRate * Math.max(1, LEAST_GRADIENT * clipNorm / clip);
    return new RunScale(sumSensitivity, clip, momentum, rows, logits, stable, natural);
  }

  /** ν of a run at this point. */
  public double logitNoise(TrialPoint point, Mu mu) {
    return with(point.settings()).logitNoise(point.radius(), mu);
  }

  public double logitNoise(double radius, Mu mu) {
    return radius * perRadius(mu);
  }

  public double radius(double logitNoise, Mu mu) {
    return logitNoise / perRadius(mu);
  }

  private double perRadius(Mu mu) {
    return sumSensitivity * clipNorm / ((1 - momentum) * mu.value() * rows);
  }
}
