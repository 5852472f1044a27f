package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class NoiseFitChartTest {
  private static List<Series> series(StudyDocuments study) {
    return ((Plot.Xy) NoiseFitChart.of(study).orElseThrow().plot()).series();
  }

  @Test
  void scoresPosteriorBandAndPrior_areApart() {
    List<Series> series = series(SamplePages.scaleFree());

    assertThat(series)
        .extracting(Series::mark)
        .containsExactly(Mark.CIRCLE, Mark.SOLID, Mark.DOTTED, Mark.DASHED, Mark.STAR);
    List<Dot> curve = series.get(1).dots();
    List<Dot> band = series.get(2).dots();
    // It begins below the curve's first point and comes back above it.
    assertThat(band.get(0).x()).isEqualTo(curve.get(0).x());
    assertThat(band.get(0).y()).isCloseTo(curve.get(0).y() - 0.1959963984540054, within(1e-12));
    assertThat(band.get(band.size() - 1).y())
        .isCloseTo(curve.get(0).y() + 0.1959963984540054, within(1e-12));
    assertThat(series.get(3).dots()).allMatch(dot -> dot.y() == 0.6);
  }

  @Test
  void aCurveOfAnEarlierVersion_isDrawnWithoutABand() {
    StudyDocuments earlier =
        SamplePages.changed(
            SamplePages.scaleFree(),
            study -> ((ObjectNode) study.result().path("fit")).remove("posterior"));

    assertThat(series(earlier))
        .extracting(Series::mark)
        .containsExactly(Mark.CIRCLE, Mark.SOLID, Mark.STAR);
  }
}
