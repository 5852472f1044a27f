package io.mutune.orchestrator.report;

import io.mutune.orchestrator.document.ModelsDocument;
import io.mutune.orchestrator.document.ReleaseEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Labels;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each of several models is worth on public test rows, over what it and the tuning cost. */
final class ReleasesChart {
  private ReleasesChart() {}

  /** Empty where there is one model, or no test rows that are public. */
  static Optional<Chart> of(StudyDocuments study) {
    Optional<ModelsDocument> models = study.statement().models();
    if (models.isEmpty() || study.result().test().isEmpty()) {
      return Optional.empty();
    }
    List<Dot> dots = new ArrayList<>();
    for (ReleaseEntry entry : study.result().releases().orElse(List.of())) {
      add(dots, models.get(), entry.model(), entry.test());
    }
    add(dots, models.get(), "final", study.result().test());
    boolean classes = study.result().test().get().accuracy().isPresent();
    Axis x =
        Axis.fitting(
                "ε of the model and the tuning, alone",
                10,
                dots.stream().mapToDouble(Dot::x).toArray())
            .ofCosts();
    Axis y =
        Axis.linear(
                classes ? "test accuracy" : "test error (mean absolute)", Dot.ends(dots.stream()))
            .inPercent(classes);
    return Optional.of(
        new Chart(
            "releases",
            "What each model is worth",
            "One tuning, %d models, each with noise of its own. Bars are 95%% intervals. Each ε holds towards whoever sees that model and nothing else of the study; several together cost more."
                .formatted(dots.size()),
            new Plot.Xy(x, y, Labels.apart(x, y, List.of(new Series("model", Mark.CIRCLE, dots)))),
            ReleaseEntry.table(study)));
  }

  private static void add(
      List<Dot> dots, ModelsDocument models, String name, Optional<TestDocument> test) {
    Optional<ModelsDocument.Cost> cost = models.of(name);
    if (cost.isPresent() && test.isPresent()) {
      TestDocument.Figure figure = test.get().figure();
      dots.add(new Dot(cost.get().epsilon(), figure.value(), figure.low(), figure.high(), name));
    }
  }
}
