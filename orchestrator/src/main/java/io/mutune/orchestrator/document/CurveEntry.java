package io.mutune.orchestrator.document;

import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.Ranking;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What thresholds on the scores of a class reach on public rows, from calling no row so to calling
 * all: how many follows from no score.
 *
 * @param falsePositives of the rows of other classes those called so
 * @param recall of the rows of the class
 * @param precision of the rows called so those of the class
 */
public record CurveEntry(
    String name, List<Double> falsePositives, List<Double> recall, List<Double> precision) {

  /** Empty where no class has a row beside others; of two classes that of the second. */
  static Optional<List<CurveEntry>> of(ClassMetrics metrics, List<String> names) {
    List<CurveEntry> curves = new ArrayList<>();
    for (int c = names.size() == 2 ? 1 : 0; c < metrics.rankings().size(); c++) {
      String name = names.get(c);
      metrics.rankings().get(c).ifPresent(ranking -> curves.add(of(name, ranking)));
    }
    return curves.isEmpty() ? Optional.empty() : Optional.of(curves);
  }

  private static CurveEntry of(String name, Ranking ranking) {
    return new CurveEntry(
        name,
        column(ranking, Ranking.Point::falsePositives),
        column(ranking, Ranking.Point::recall),
        column(ranking, Ranking.Point::precision));
  }

  private static List<Double> column(Ranking ranking, ToDoubleFunction<Ranking.Point> of) {
    return ranking.curve().stream()
        .map(point -> Math.rint(of.applyAsDouble(point) * 1e4) / 1e4)
        .toList();
  }
}
