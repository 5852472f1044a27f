package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.compare.PrivacyProfile.Errors;
import io.mutune.accountant.compare.Releases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * The trade-off curve: the least rate of missed detections that a test for one row's presence can
 * have at each rate of false alarms (Dong, Roth and Su 2022, Definition 2.1). A line below the true
 * curve, and on it for Gaussian releases.
 */
public final class TradeOffPlot {
  private final List<Errors> curve;
  private final String name;
  private final String title;

  private TradeOffPlot(List<Errors> curve, String name, Adjacency adjacency) {
    this.curve = curve;
    this.name = name;
    this.title =
        switch (adjacency) {
          case ADD_REMOVE -> "Telling whether a row took part";
          case REPLACE_ONE -> "Telling which of two rows took part";
        };
  }

  public static TradeOffPlot of(Releases releases) {
    return new TradeOffPlot(
        PrivacyProfile.curve(releases),
        releases
            .gaussianMu()
            .map(mu -> "these releases: mu = " + PrintedNumber.up(mu.value(), 4))
            .orElse("these releases, at least"),
        releases.adjacency());
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
        .line(
            name,
            curve.stream().mapToDouble(Errors::falseAlarms).toArray(),
            curve.stream().mapToDouble(Errors::misses).toArray())
        .line("guessing", new double[] {0, 1}, new double[] {1, 0})
        .write(file);
  }
}
