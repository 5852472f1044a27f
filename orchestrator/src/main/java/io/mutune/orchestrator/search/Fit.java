package io.mutune.orchestrator.search;

import java.util.List;
import java.util.Optional;

/**
 * What was fitted to the trials, for reports.
 *
 * @param kind {@code polynomial} or {@code posterior}
 * @param axis the meaning of x: {@code mu}, {@code epsilon} or {@code logitNoise}
 * @param value the meaning of y: {@code radius}, {@code jointRadius} (r·C) or {@code score}
 * @param coefficients of the polynomial, constant first; empty for another curve
 * @param points that were fitted
 * @param curve what was fitted, as points to draw; x ascending
 * @param posterior what else is known at the points of the curve, where it is a posterior mean
 */
public record Fit(
    String kind,
    String axis,
    String value,
    List<Double> coefficients,
    List<Point> points,
    List<Point> curve,
    Optional<Posterior> posterior) {
  /** One point of a fit. */
  public record Point(double x, double y) {}

  /**
   * Beside a posterior mean, an entry for each of its points.
   *
   * @param deviation the standard deviation around it
   * @param prior the mean before any score, at the level of the scores
   */
  public record Posterior(List<Double> deviation, List<Double> prior) {}
}
