package io.mutune.orchestrator.document;

import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.trainer.score.ClassIntervals;
import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.TargetMetrics;
import java.util.List;
import java.util.Optional;

/**
 * Where figures on public rows lie in the population that the rows were drawn from, with 95%.
 *
 * @param calibrationError the expected calibration error
 * @param classes in the order of the classes
 */
record IntervalsEntry(
    Optional<Figure> balancedAccuracy,
    Optional<Figure> macroF1,
    Optional<Figure> calibrationError,
    Optional<List<OfClass>> classes,
    Optional<Figure> meanSquaredError,
    Optional<Figure> r2) {
  /** Of one class. */
  public record OfClass(Figure precision, Figure recall, Figure f1) {}

  static IntervalsEntry of(ClassMetrics metrics) {
    return new IntervalsEntry(
        Optional.of(Figure.of(ClassIntervals.balancedAccuracy(metrics))),
        Optional.of(Figure.of(ClassIntervals.macroF1(metrics))),
        metrics.probabilities().map(p -> Figure.of(p.reliability().errorInterval())),
        Optional.of(
            metrics.classes().stream()
                .map(
                    of ->
                        new OfClass(
                            Figure.of(ClassIntervals.precision(of)),
                            Figure.of(ClassIntervals.recall(of)),
                            Figure.of(ClassIntervals.f1(of))))
                .toList()),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Of real targets.
   *
   * @param unit what 1 stands for
   */
  static IntervalsEntry of(TargetMetrics metrics, double unit) {
    return new IntervalsEntry(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Figure.exact(metrics.squared().times(unit * unit))),
        metrics.explained().map(Figure::exact));
  }
}
