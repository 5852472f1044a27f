package io.mutune.orchestrator.report;

import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.report.OtherStudies.Tested;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The charts of a study, those that it has something to show in.
 *
 * @param test how good the final model is
 * @param search how the final run's point was found
 * @param cost where the budget went, and what that guarantees
 * @param studies this study among others
 */
record StudyCharts(List<Chart> test, List<Chart> search, List<Chart> cost, List<Chart> studies) {
  /** Among the finished studies in the folders beside its own. */
  static StudyCharts of(StudyDocuments study, Path output) {
    return of(study, OtherStudies.beside(output, study));
  }

  static StudyCharts of(StudyDocuments study, List<Tested> others) {
    return new StudyCharts(
        Stream.of(
                CalibrationChart.of(study),
                TargetsChart.of(study),
                ClassesChart.of(study),
                ConfusionChart.of(study),
                CurvesChart.roc(study),
                CurvesChart.precision(study),
                NoisyBinsChart.of(study),
                LearningChart.of(study))
            .flatMap(Optional::stream)
            .toList(),
        Stream.of(
                RadiusChart.of(study),
                NoiseFitChart.of(study),
                ScoreChart.of(study),
                ParallelChart.of(study),
                ReleasesChart.of(study))
            .flatMap(Optional::stream)
            .toList(),
        Stream.of(BudgetChart.of(study), TradeOffChart.of(study.statement()))
            .flatMap(Optional::stream)
            .toList(),
        StudiesChart.of(study, others).stream().toList());
  }

  List<Chart> all() {
    return Stream.of(test, search, cost, studies).flatMap(List::stream).toList();
  }
}
