package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Guarantee;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * The trade-off curve: the least rate of missed detections that a test for one row's presence can
 * have at each rate of false alarms (Dong, Roth and Su 2022, Definition 2.1). A line below the true
 * curve, and on it for Gaussian releases.
 */
public final class TradeOffPlot {
  private static final int POINTS = 201;
  private static final int EPSILONS = 24;
  private static final double SMALLEST_DELTA = 1e-4;

  private final double[] falseAlarms;
  private final double[] misses;
  private final String name;
  private final String title;

  private TradeOffPlot(double[] falseAlarms, double[] misses, String name, Adjacency adjacency) {
    this.falseAlarms = falseAlarms;
    this.misses = misses;
    this.name = name;
    this.title =
        switch (adjacency) {
          case ADD_REMOVE -> "Telling whether a row took part";
          case REPLACE_ONE -> "Telling which of two rows took part";
        };
  }

  public static TradeOffPlot of(Releases releases) {
    double[] x = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      // Dense at both ends, where the curve is steep.
      x[i] = (1 - Math.cos(Math.PI * i / (POINTS - 1))) / 2;
    }
    Optional<Mu> mu = releases.gaussianMu();
    return mu.isPresent()
        ? new TradeOffPlot(
            x,
            gaussian(x, mu.get().value()),
            "these releases: mu = " + PrintedNumber.up(mu.get().value(), 4),
            releases.adjacency())
        : new TradeOffPlot(
            x, supported(x, releases), "these releases, at least", releases.adjacency());
  }

  /** Φ(Φ⁻¹(1 − α) − μ). */
  private static double[] gaussian(double[] x, double mu) {
    NormalDistribution normal = new NormalDistribution(null, 0, 1);
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      boolean inside = x[i] > 0 && x[i] < 1;
      y[i] =
          inside
              ? normal.cumulativeProbability(-normal.inverseCumulativeProbability(x[i]) - mu)
              : 1 - x[i];
    }
    return y;
  }

  /** The largest of the lines that some (ε, δ) supports. */
  private static double[] supported(double[] x, Releases releases) {
    double[] y = new double[x.length];
    double most =
        Guarantee.GUARANTEE.bound(releases, new EpsilonAt(Delta.of(SMALLEST_DELTA))).upper();
    double last = Double.isFinite(most) ? most : 1;
    for (int k = 0; k <= EPSILONS; k++) {
      double epsilon = last * k / EPSILONS;
      double delta = Guarantee.GUARANTEE.bound(releases, new DeltaAt(Epsilon.of(epsilon))).upper();
      for (int i = 0; i < x.length; i++) {
        double steep = 1 - delta - Math.exp(epsilon) * x[i];
        double flat = Math.exp(-epsilon) * (1 - delta - x[i]);
        y[i] = Math.max(y[i], Math.max(steep, flat));
      }
    }
    return y;
  }

  /**
   * Draws it as an SVG.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    new LineChart(
            title, "false alarms (type I error)", "missed (type II error)", LegendPosition.InsideNE)
        .to(1, 1)
        .line(name, falseAlarms, misses)
        .line("guessing", new double[] {0, 1}, new double[] {1, 0})
        .write(file);
  }
}
