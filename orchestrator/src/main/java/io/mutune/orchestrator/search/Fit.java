package io.mutune.orchestrator.search;

import java.util.List;

/**
 * What was fitted to the trials, for reports.
 *
 * @param kind {@code polynomial} or {@code smooth}
 * @param axis the meaning of x: {@code mu}, {@code epsilon} or {@code logitNoise}
 * @param value the meaning of y: {@code radius}, {@code jointRadius} (r·C) or {@code score}
 * @param coefficients of the polynomial, constant first; empty for a smooth curve
 * @param points that were fitted
 * @param curve what was fitted, as points to draw; x ascending
 */
public record Fit(
    String kind,
    String axis,
    String value,
    List<Double> coefficients,
    List<Point> points,
    List<Point> curve) {
  /** One point of a fit. */
  public record Point(double x, double y) {}
}
