package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.knowm.xchart.style.Styler.LegendPosition;

/** ε against the number of steps of DP-SGD. */
public final class StepsPlot {
  private static final int POINTS = 20;

  private final LineChart drawing;

  private StepsPlot(LineChart drawing) {
    this.drawing = drawing;
  }

  /**
   * Computes its points.
   *
   * @param compare whether Rényi accounting is drawn beside the guarantee
   */
  public static StepsPlot of(
      SubsampledGaussian mechanism, Adjacency adjacency, Decimal delta, boolean compare) {
    long[] steps = steps(mechanism.count());
    List<AccountantComparison> costs =
        LongStream.of(steps)
            .mapToObj(
                t ->
                    AccountantComparison.of(
                        releases(mechanism, adjacency, t), DecimalQuery.epsilonAt(delta).rounded()))
            .toList();
    double[] x = LongStream.of(steps).mapToDouble(t -> t).toArray();
    double[] guarantee = costs.stream().mapToDouble(c -> finite(c.guarantee().upper())).toArray();
    double most = guarantee[guarantee.length - 1];
    LineChart drawing =
        new LineChart(
            "sigma %s, q %s, %s neighbours"
                .formatted(
                    PrintedNumber.down(mechanism.sigma().value(), 6),
                    PrintedNumber.down(mechanism.samplingRate(), 6),
                    adjacency.key()),
            "steps",
            "epsilon at delta " + delta.text(),
            LegendPosition.InsideNW);
    drawing.line("guarantee", x, guarantee);
    if (compare) {
      double[] renyi = costs.stream().mapToDouble(StepsPlot::renyi).toArray();
      drawing.line("Rényi accounting alone", x, renyi);
      most = Math.max(most, renyi[renyi.length - 1]);
    }
    return new StepsPlot(drawing.to((double) mechanism.count(), 1.1 * most));
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

  private static double renyi(AccountantComparison comparison) {
    return comparison.answer(Accountant.RDP) instanceof Bound bound
        ? finite(bound.upper())
        : Double.NaN;
  }

  private static double finite(double epsilon) {
    if (!Double.isFinite(epsilon)) {
      throw new IllegalArgumentException("an infinite epsilon cannot be drawn");
    }
    return epsilon;
  }

  /**
   * Draws it as an SVG.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    drawing.write(file);
  }
}
