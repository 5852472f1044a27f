package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Figures;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.figure.TradeOffCurve;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** What {@code mutune cost --plot} draws. */
public record CostPlot(String title, Plot plot) {
  private static final int POINTS = 20;

  /** The trade-off curve of some releases. */
  public static CostPlot tradeOff(Releases releases) {
    String name =
        releases
            .gaussianMu()
            .map(mu -> "these releases: mu = " + PrintedNumber.up(mu.value(), 4))
            .orElse("these releases, at least");
    return new CostPlot(
        TradeOffCurve.title(releases.adjacency(), "row"),
        TradeOffCurve.plot(name, PrivacyProfile.curve(releases)));
  }

  /**
   * ε against the number of steps of DP-SGD.
   *
   * @param compare whether Rényi accounting is drawn beside the guarantee
   */
  public static CostPlot steps(
      SubsampledGaussian mechanism, Adjacency adjacency, Decimal delta, boolean compare) {
    List<Dot> guarantee = new ArrayList<>();
    List<Dot> renyi = new ArrayList<>();
    for (long steps : steps(mechanism.count())) {
      AccountantComparison costs =
          AccountantComparison.of(
              releases(mechanism, adjacency, steps), DecimalQuery.epsilonAt(delta).rounded());
      guarantee.add(dot(steps, costs.guarantee().upper()));
      if (compare && costs.answer(Accountant.RDP) instanceof Bound bound) {
        renyi.add(dot(steps, bound.upper()));
      }
    }
    List<Series> lines = new ArrayList<>(List.of(new Series("guarantee", Mark.SOLID, guarantee)));
    if (!renyi.isEmpty()) {
      lines.add(new Series("Rényi accounting alone", Mark.DASHED, renyi));
    }
    double most =
        lines.stream()
            .flatMap(line -> line.dots().stream())
            .mapToDouble(Dot::y)
            .max()
            .orElseThrow();
    return new CostPlot(
        "sigma %s, q %s, %s neighbours"
            .formatted(
                PrintedNumber.down(mechanism.sigma().value(), 6),
                PrintedNumber.up(mechanism.samplingRate(), 6),
                adjacency.key()),
        new Plot.Xy(
            Axis.upTo("steps", (double) mechanism.count()),
            Axis.upTo("epsilon at delta " + delta.text(), most > 0 ? 1.1 * most : 1),
            lines));
  }

  private static long[] steps(long most) {
    return LongStream.rangeClosed(0, POINTS)
        .map(i -> Math.max(1, Math.round((double) most / POINTS * i)))
        .distinct()
        .toArray();
  }

  private static Releases releases(SubsampledGaussian one, Adjacency adjacency, long steps) {
    return Releases.of(
        adjacency,
        new SubsampledGaussian(one.sigma(), one.samplingRate(), one.sensitivity(), steps));
  }

  private static Dot dot(long steps, double epsilon) {
    if (!Double.isFinite(epsilon)) {
      throw new IllegalArgumentException("an infinite epsilon cannot be drawn");
    }
    return Dot.at((double) steps, epsilon);
  }

  /**
   * Draws it as an SVG.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    Figures.write(title, plot, file);
  }
}
