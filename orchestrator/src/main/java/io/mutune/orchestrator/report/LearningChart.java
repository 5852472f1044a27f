package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.study.LearningCurve;
import io.mutune.orchestrator.study.MetricWords;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** How good the model was on public test rows as its run went on. */
final class LearningChart {
  private LearningChart() {}

  /** Empty where fewer than two iterates were looked at. */
  static Optional<Chart> of(StudyDocuments study) {
    return study
        .result()
        .learningCurve()
        .filter(curve -> curve.steps().size() > 1)
        .map(LearningChart::of);
  }

  private static Chart of(LearningCurve curve) {
    List<Dot> dots =
        IntStream.range(0, curve.steps().size())
            .mapToObj(i -> Dot.at(curve.steps().get(i), curve.scores().get(i)))
            .toList();
    boolean inPercent = MetricWords.inPercent(curve.metric());
    Axis scores =
        Axis.linear("test " + curve.metric(), dots.stream().mapToDouble(Dot::y).toArray());
    return new Chart(
        "learning-curve",
        "Learning curve",
        "The model after some of its run's steps, on public test rows. Each of these models was"
            + " released, so looking at them costs nothing; none was chosen by it.",
        new Plot.Xy(
            Axis.upTo("step", dots.get(dots.size() - 1).x()),
            scores.inPercent(inPercent),
            List.of(new Series(curve.metric(), Mark.SOLID, dots))),
        DataTable.of(
            List.of("step", "test " + curve.metric()),
            dots,
            dot ->
                DataTable.row(
                    Long.toString(Math.round(dot.x())),
                    inPercent ? DisplayNumber.percent(dot.y()) : DisplayNumber.value(dot.y()))));
  }
}
