package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import io.mutune.orchestrator.document.TrialScores;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Figures;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.figure.Plot.Span;
import io.mutune.orchestrator.figure.Plot.Spans;
import io.mutune.orchestrator.figure.Plot.Xy;
import io.mutune.orchestrator.study.MetricWords;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What each chart shows of a study's documents. */
class ChartsTest {
  private static final StudyDocuments STUDY = SamplePages.scaleFree();

  private static Series series(Chart chart, Mark mark) {
    return ((Xy) chart.plot())
        .series().stream().filter(one -> one.mark() == mark).findFirst().orElseThrow();
  }

  @Test
  void theRule_isALineThroughTheFinalRunAtItsNoise() {
    Chart chart = RadiusChart.of(STUDY).orElseThrow();
    Dot end = series(chart, Mark.STAR).dots().get(0);

    assertThat(end.y()).isEqualTo(120);
    assertThat(end.x()).isEqualTo(STUDY.finalCharge().orElseThrow().mu().orElseThrow());
    // Divided and multiplied again: a few rounding errors.
    assertThat(series(chart, Mark.DASHED).dots())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            dot ->
                assertThat(dot.y() / dot.x())
                    .isCloseTo(120 / end.x(), within(1e-9 * 120 / end.x())));
    assertThat(series(chart, Mark.CIRCLE).dots()).hasSize(3);
  }

  /** What a page says of a point is what its script is given. */
  @Test
  void aDrawnCost_isNoLessThanTheTrueOne_andOtherNumbersAreTheNearest() {
    Axis costs = Axis.linear("ε", 1, 2).ofCosts();
    Axis others = Axis.linear("accuracy", 0, 1);
    Series one = new Series("", Mark.CIRCLE, List.of(Dot.of(1.13727, 0.91234, 0.0123449, "")));
    DataTable none = new DataTable(List.of(), List.of());
    JsonNode plot =
        new Chart("", "", "", new Xy(costs, others, List.of(one)), none).json().path("plot");

    assertThat(plot.at("/series/0/dots/0/x").asDouble()).isEqualTo(1.138);
    assertThat(plot.at("/series/0/dots/0/y").asDouble()).isEqualTo(0.9123);
    assertThat(plot.at("/series/0/dots/0/high").asDouble()).isEqualTo(0.9247);
  }

  @Test
  void aPolynomialOverEpsilon_isDrawnOverEpsilon() {
    Chart chart = RadiusChart.of(SamplePages.linearScaling()).orElseThrow();

    assertThat(chart.title()).isEqualTo("Radius against ε");
    assertThat(series(chart, Mark.DASHED).dots())
        .allSatisfy(dot -> assertThat(dot.y()).isCloseTo(150 * dot.x() - 5, within(1e-9)));
    assertThat(series(chart, Mark.RING).dots()).containsExactly(Dot.at(0.1, 10), Dot.at(0.2, 25));
  }

  @Test
  void theWaterfall_endsAtWhatWasSpent() {
    Chart chart = BudgetChart.of(STUDY).orElseThrow();
    List<Span> spans = ((Spans) chart.plot()).spans();
    double spent = STUDY.statement().mu().orElseThrow();
    double budget = STUDY.statement().budget().mu();

    for (int i = 1; i < spans.size(); i++) {
      assertThat(spans.get(i).from()).isEqualTo(spans.get(i - 1).to());
    }
    assertThat(spans).hasSize(7).first().extracting(Span::from).isEqualTo(0.0);
    // The statement's μ is rounded up, by far less than what a chart shows.
    assertThat(spans.get(6).to()).isCloseTo(spent * spent / (budget * budget), within(1e-9));
  }

  @Test
  void whatWasNotSpent_isAnOutline() {
    List<Span> spans =
        ((Spans) BudgetChart.of(SamplePages.withoutTrials()).orElseThrow().plot()).spans();

    assertThat(spans).extracting(Span::label).containsExactly("final", "not spent");
    assertThat(spans.get(1).solid()).isFalse();
    assertThat(spans.get(1).to()).isEqualTo(1);
  }

  @Test
  void withoutMu_costsStandSideBySide() {
    Chart chart = BudgetChart.of(SamplePages.withoutMu()).orElseThrow();
    List<Span> spans = ((Spans) chart.plot()).spans();

    assertThat(chart.title()).isEqualTo("What each charge would cost alone");
    assertThat(spans).allSatisfy(span -> assertThat(span.from()).isZero());
    assertThat(spans.get(spans.size() - 1).to()).isEqualTo(STUDY.statement().epsilon());
  }

  @Test
  void aLostScore_isMarkedAndStandsInTheTable() {
    Chart chart = ScoreChart.of(STUDY).orElseThrow();

    assertThat(series(chart, Mark.CROSS).dots()).extracting(Dot::x).containsExactly(2.0);
    assertThat(series(chart, Mark.CIRCLE).dots()).extracting(Dot::y).containsExactly(0.6, 0.8);
    assertThat(chart.table().rows().get(1).cells()).containsExactly("lost", "");
  }

  @Test
  void anErrorBar_isThatOfTheNoiseThatWasCharged() {
    double sigma =
        Objects.requireNonNull(STUDY.statement().charges().get(1).parameters().get("sigma"));

    assertThat(series(ScoreChart.of(STUDY).orElseThrow(), Mark.CIRCLE).dots())
        .extracting(dot -> dot.high() - dot.y())
        .allSatisfy(
            bar -> assertThat(bar).isCloseTo(1.959963984540054 * sigma / 10_000, within(1e-12)));
  }

  @Test
  void scoresOnPublicRows_haveTheErrorOfASample() {
    TrialScores scores =
        new TrialScores("accuracy", Optional.empty(), OptionalDouble.empty(), OptionalLong.of(400));

    // √(0.8 · 0.2 / 400) = 0.02
    assertThat(scores.bar(0.8)).isCloseTo(1.959963984540054 * 0.02, within(1e-12));
    assertThat(scores.bar(1.2)).isZero();
    assertThat(
            new TrialScores(
                    "closeness", Optional.empty(), OptionalDouble.empty(), OptionalLong.of(400))
                .bar(0.8))
        .isZero();
  }

  @Test
  void aStudyWhoseEpsilonDoesNotHold_isNotAmongThoseThatDo() {
    Chart chart = StudiesChart.of(STUDY, SamplePages.others()).orElseThrow();

    assertThat(series(chart, Mark.CROSS).dots()).containsExactly(Dot.at(1, 0.9));
    assertThat(series(chart, Mark.CIRCLE).dots()).hasSize(2);
    assertThat(chart.table().rows().get(3).cells()).contains("1 (void)");
    assertThat(StudiesChart.of(STUDY, List.of())).isEmpty();
  }

  @Test
  void theFinalRun_hasNoScoreAmongTheRuns() {
    Plot.Parallel plot = (Plot.Parallel) ParallelChart.of(STUDY).orElseThrow().plot();
    Plot.Track last = plot.tracks().get(plot.tracks().size() - 1);

    assertThat(plot.axes()).extracting(Axis::name).contains("ε", "η", "r", "ν", "score");
    assertThat(last.values().get(plot.axes().size() - 1)).isNull();
    assertThat(plot.tracks())
        .filteredOn(track -> track.mark() == Mark.SOLID)
        .extracting(Plot.Track::name)
        .containsExactly("trial 3 (best score)");
  }

  /** A mean of errors or losses is no share, in the curve as among the trials. */
  @Test
  void aLearningCurve_isInPercentWhereScoresOfTrialsAre() {
    for (String metric : List.of("closeness", "1 - log loss / 10 bits")) {
      StudyDocuments study =
          SamplePages.changed(
              STUDY, s -> s.result().withObject("learningCurve").put("metric", metric));
      assertThat(LearningChart.of(study).orElseThrow().table().rows().get(1).cells())
          .as(metric)
          .containsExactly("0.8125");
    }
    assertThat(LearningChart.of(STUDY).orElseThrow().table().rows().get(1).cells())
        .containsExactly("81.25%");
    for (String metric : List.of("accuracy", "macro-f1", "auc", "log-loss", "squared-error")) {
      String text = Sweeps.SCALE_FREE.replace("strategy:", "metric: " + metric + "\n  strategy:");
      SweepDefinition sweep =
          Sweeps.read(
              metric.equals("squared-error")
                  ? text.replace("classes: 3", "target: {min: 0, max: 1}")
                  : text);
      TrialScores scores =
          new TrialScores(metric, Optional.empty(), OptionalDouble.empty(), OptionalLong.empty());
      assertThat(MetricWords.inPercent(MetricWords.of(sweep)))
          .as(metric)
          .isEqualTo(scores.inPercent());
    }
  }

  /** Nothing is trained again: what the page counts, credits and draws is the trials. */
  @Test
  void whereATrialIsKept_noFinalRunIsToldOf() {
    StudyDocuments study = SamplePages.keptTrial();
    Chart runs = ParallelChart.of(study).orElseThrow();

    assertThat(((Plot.Parallel) runs.plot()).tracks())
        .extracting(Plot.Track::name)
        .containsExactly("trial 1", "trial 2", "trial 3 (best score)");
    assertThat(runs.summary()).endsWith("The model of trial 3 is the result as it is.");
    assertThat(RunsTable.of(study).rows()).hasSize(3);
    List<Summary.Tile> tiles = Summary.of(study);
    assertThat(tiles.get(2).value()).matches("[1-9.]+[0-9]*% to trial 3, which is kept");
    assertThat(tiles.get(2).more()).startsWith("other trials ").contains(", scores ");
    assertThat(tiles.get(3).more()).isEqualTo("3 runs");
    assertThat(BudgetChart.of(study).orElseThrow().summary())
        .contains("The model of trial 3, which is the result, took ")
        .doesNotContain("0.00%");
    assertThat(ReportPage.html(study, StudyCharts.of(study, List.of())))
        .doesNotContain("he final run", "\"final run\"", ">final</th>");
  }

  @Test
  void modelsBesideTheFinalOne_areRunsToo() {
    StudyDocuments study =
        SamplePages.changed(
            STUDY,
            s -> {
              ObjectNode release = s.result().putArray("releases").addObject();
              release.put("model", "release 1").put("folder", "release-1");
              release.set("run", s.result().path("final").deepCopy());
            });

    assertThat(Summary.of(study).get(3).more()).isEqualTo("5 runs");
  }

  @Test
  void withoutTrials_noSearchIsDrawn() {
    assertThat(StudyCharts.of(SamplePages.withoutTrials(), List.of()).all())
        .extracting(Chart::id)
        .containsExactly(
            ("calibration classes confusion roc precision-recall learning-curve budget trade-off")
                .split(" "));
  }

  @Test
  void anErrorReductionFarOff_isCutOnTheChartAndWholeInTheTable() {
    Chart chart = CompareCharts.of(SamplePages.comparison()).get(1);
    Plot.Strip last = ((Plot.Strips) chart.plot()).strips().get(1);

    assertThat(chart.id()).isEqualTo("error-reduction");
    assertThat(last.value()).isEqualTo(-1);
    assertThat(last.high()).isEqualTo(0.4);
    assertThat(chart.table().rows().get(1).cells()).containsExactly("-350.00% (below 40.00%)");
  }

  @Test
  void aComparison_hasFiguresForPapersToo(@TempDir Path folder) throws IOException {
    ComparePage.writeFigures(SamplePages.comparison(), folder);

    for (String name : List.of("accuracies", "error-reduction", "tuning", "time")) {
      assertThat(Files.readString(folder.resolve(name + ".svg")))
          .contains("<svg", "</svg>")
          .doesNotContain("NaN");
    }
  }

  @Property
  void anAxis_holdsItsValuesBetweenRoundNumbers(
      @ForAll @DoubleRange(min = -20, max = 20) double lnA,
      @ForAll @DoubleRange(min = -20, max = 20) double lnB) {
    double a = Math.exp(lnA);
    double b = Math.exp(lnB);
    for (Axis axis : List.of(Axis.linear("x", a, b), Axis.log("x", a, b))) {
      assertThat(axis.holds(a) && axis.holds(b)).isTrue();
      assertThat(axis.share(a)).isBetween(0.0, 1.0);
      assertThat(Arrays.stream(axis.ticks()).boxed())
          .hasSizeBetween(2, 9)
          .allMatch(axis::holds)
          .doesNotHaveDuplicates();
      // A logarithm and its inverse.
      assertThat(axis.at(axis.share(a))).isCloseTo(a, within(1e-6 * axis.max()));
    }
  }

  @Test
  void everyChart_isAFigureForPapersToo(@TempDir Path folder)
      throws IOException, ParserConfigurationException, SAXException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    // Files have a doctype whose address must not be asked for.
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    for (Map.Entry<String, StudyDocuments> study : SamplePages.studies().entrySet()) {
      List<Chart> charts = StudyCharts.of(study.getValue(), SamplePages.others()).all();
      Path figures = folder.resolve(study.getKey());
      Figures.write(charts, figures);

      for (Chart chart : charts) {
        byte[] svg = Files.readAllBytes(figures.resolve(chart.id() + ".svg"));
        Element root =
            factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg)).getDocumentElement();
        assertThat(root.getTagName()).isEqualTo("svg");
        // Frame, grid and title alone are fewer.
        assertThat(root.getElementsByTagName("*").getLength()).isGreaterThan(25);
        assertThat(new String(svg, StandardCharsets.UTF_8))
            .as(study.getKey() + " " + chart.id())
            .doesNotContain("NaN", "Infinity");
      }
    }
  }

  @Test
  void calibration_isDrawnByTheBinsThatHaveRows_besideTheLineOfProbabilitiesThatHold() {
    StudyDocuments study =
        SamplePages.changed(
            STUDY,
            trees -> {
              ObjectNode bin = (ObjectNode) trees.result().at("/test/calibration/bins").get(3);
              bin.put("rows", 0);
            });
    Chart chart = CalibrationChart.of(study).orElseThrow();
    List<Dot> dots = series(chart, Mark.CIRCLE).dots();
    assertThat(dots).hasSize(9).allMatch(dot -> dot.low() <= dot.y() && dot.y() <= dot.high());
    assertThat(dots.get(2).x()).isEqualTo(0.25);
    assertThat(dots.get(2).y()).isEqualTo(0.25);
    assertThat(dots.get(3).x()).isEqualTo(0.45);
    assertThat(chart.table().rows().get(3).cells()).containsExactly("0", "", "", "");
    assertThat(CalibrationChart.of(SamplePages.regression())).isEmpty();
  }

  @Test
  void targets_areDrawnAgainstPredictions_byThePartsThatHaveRows() {
    Chart chart = TargetsChart.of(SamplePages.regression()).orElseThrow();
    List<Dot> dots = series(chart, Mark.CIRCLE).dots();
    assertThat(dots).extracting(Dot::x).containsExactly(8.0, 11.0);
    assertThat(dots.get(0)).isEqualTo(new Dot(8, 7.5, 1.5, 16.25, ""));
    List<Dot> line = series(chart, Mark.DASHED).dots();
    assertThat(line).allMatch(dot -> dot.x() == dot.y());
    assertThat(chart.table().rows().get(0).cells()).containsExactly("0", "", "", "");
    assertThat(TargetsChart.of(STUDY)).isEmpty();
  }

  @Test
  void everyClass_hasItsBars() {
    Plot.Bars bars = (Plot.Bars) ClassesChart.of(STUDY).orElseThrow().plot();
    assertThat(bars.groups()).hasSize(3);
    assertThat(bars.sets())
        .extracting(Plot.BarSet::name)
        .containsExactly("precision", "recall", "F1");
    assertThat(bars.sets().get(2).values().get(0)).isCloseTo(0.9, within(1e-6));
  }

  @Test
  void aSquareOfTheConfusion_isAsDarkAsItsShareOfItsClass() {
    Chart chart = ConfusionChart.of(STUDY).orElseThrow();
    Plot.Matrix matrix = (Plot.Matrix) chart.plot();
    TestDocument test = STUDY.result().test().orElseThrow();
    for (int c = 0; c < matrix.names().size(); c++) {
      List<Plot.Cell> row = matrix.cells().get(c);
      assertThat(row.stream().mapToDouble(Plot.Cell::share).sum()).isCloseTo(1, within(1e-12));
      assertThat(row.stream().map(Plot.Cell::text)).isEqualTo(chart.table().rows().get(c).cells());
      double recall = test.classes().orElseThrow().get(c).recall();
      assertThat(row.get(c).share()).isCloseTo(recall, within(1e-6));
    }
    assertThat(ConfusionChart.of(SamplePages.regression())).isEmpty();
  }

  @Test
  void theSummary_holdsTheModelAgainstTheBaseline_andSharesAddUp() {
    List<Summary.Tile> tiles = Summary.of(STUDY);
    assertThat(tiles)
        .extracting(Summary.Tile::name)
        .containsExactly("Test accuracy", "Privacy", "Budget", "Time");
    assertThat(tiles.get(0).more()).contains("95% interval ", "; always saying ");
    assertThat(tiles.get(1).value()).startsWith("ε ");
    assertThat(tiles.get(2).value()).endsWith("% to the final run");
    assertThat(tiles.get(2).more()).matches("trials [0-9.]+%, scores [0-9.]+%");
    assertThat(Summary.of(SamplePages.regression()).get(0).name()).isEqualTo("Test error");
  }

  /** Trials that run at once are charged as they come, and a reader looks for them in order. */
  @Test
  void charges_standInTheOrderOfThePlan() {
    List<String> planned =
        STUDY.plan().charges().stream().map(PlanDocument.ChargeCost::what).toList();
    List<StatementDocument.ChargeEntry> asCharged = new ArrayList<>(STUDY.statement().charges());
    Collections.reverse(asCharged);
    StatementDocument s = STUDY.statement();
    StudyDocuments study =
        new StudyDocuments(
            STUDY.description(),
            STUDY.plan(),
            new StatementDocument(
                s.guarantee(),
                s.why(),
                s.epsilon(),
                s.delta(),
                s.mu(),
                s.accountant(),
                s.profile(),
                s.adjacency(),
                s.unit(),
                s.kind(),
                s.budget(),
                asCharged,
                s.scoring(),
                s.noise(),
                s.released(),
                s.excluded(),
                s.models(),
                s.ledger(),
                s.covers()),
            STUDY.result());
    assertThat(ChargesTable.of(study).rows()).extracting(DataTable.Row::name).isEqualTo(planned);
  }
}
