package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.GroupedMetrics;
import io.mutune.trainer.score.NoisyTestMetrics;
import io.mutune.trainer.score.Probabilities;
import io.mutune.trainer.score.Ranking;
import io.mutune.trainer.score.TargetMetrics;
import io.mutune.trainer.score.TestMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What the model is worth on public test rows: figures of classes, or of real targets in their own
 * unit. Every figure follows from the released model and rows that need no protection.
 *
 * @param baseline what is to be beaten: always saying the class of most test rows, or the middle of
 *     the targets' public bounds
 * @param auc the mean over the classes of each one against the rest, like {@code averagePrecision};
 *     absent where no class has a row beside others
 * @param logLoss absent where the model's loss knows no probabilities, like {@code calibration}
 * @param confusion rows by their class, then by what the model says
 * @param targets of rows of which the model says about the same, where labels are numbers
 * @param intervals of the figures above that have none beside them
 * @param curves of each class that has rows beside others
 * @param groups the main figures by the values of a column, where the sweep names one
 */
public record TestDocument(
    long rows,
    Baseline baseline,
    Optional<Figure> accuracy,
    OptionalDouble balancedAccuracy,
    OptionalDouble macroF1,
    Optional<FigureWithBaseline> auc,
    Optional<FigureWithBaseline> averagePrecision,
    Optional<FigureWithBaseline> logLoss,
    Optional<CalibrationEntry> calibration,
    Optional<List<OfClass>> classes,
    Optional<List<List<Long>>> confusion,
    Optional<Figure> meanAbsoluteError,
    OptionalDouble meanSquaredError,
    OptionalDouble r2,
    Optional<List<SpreadBin>> targets,
    Optional<IntervalsEntry> intervals,
    Optional<List<CurveEntry>> curves,
    Optional<GroupsEntry> groups) {
  /** Classes whose matrix a page shows. */
  public static final int MOST_SHOWN = 20;

  /** A figure with its 95% interval. */
  public record Figure(double value, double low, double high) {
    static Figure of(Estimate estimate) {
      return new Figure(round(estimate.value()), round(estimate.low()), round(estimate.high()));
    }

    /** Not rounded. */
    static Figure exact(Estimate estimate) {
      return new Figure(estimate.value(), estimate.low(), estimate.high());
    }

    /** In its unit, with the interval. */
    public String shown() {
      return "%s (%s)".formatted(DisplayNumber.value(value), range());
    }

    /** The interval in its unit. */
    public String range() {
      return DisplayNumber.value(low) + " to " + DisplayNumber.value(high);
    }

    /** As a share. */
    public String percent() {
      return "%s (%s)".formatted(DisplayNumber.percent(value), shares());
    }

    /** The interval of a share. */
    public String shares() {
      return DisplayNumber.percent(low) + " to " + DisplayNumber.percent(high);
    }
  }

  /** What it says of every row, and the accuracy or the mean absolute error of that. */
  public record Baseline(String says, double value) {}

  /**
   * A figure with its 95% interval.
   *
   * @param baseline what scores have that tell nothing of a row
   */
  public record FigureWithBaseline(@JsonUnwrapped Figure figure, double baseline) {
    static FigureWithBaseline of(Estimate estimate, double baseline) {
      return new FigureWithBaseline(Figure.of(estimate), round(baseline));
    }

    public String percent() {
      return "%s (95%% interval %s, by chance %s)"
          .formatted(
              DisplayNumber.percent(figure.value()),
              figure.shares(),
              DisplayNumber.percent(baseline));
    }
  }

  /** Of one class. */
  public record OfClass(
      String name,
      long rows,
      double precision,
      double recall,
      double f1,
      Optional<Figure> auc,
      Optional<Figure> averagePrecision) {}

  /** Of a model of the study; empty where there are no public test rows. */
  static Optional<TestDocument> of(StudyResult result, Optional<TestMetrics> test) {
    Labelling labelling = result.study().sweep().data().training().spec().labelling();
    return test.filter(metrics -> !(metrics instanceof NoisyTestMetrics))
        .map(metrics -> of(metrics, labelling));
  }

  /** Of exact figures. */
  public static TestDocument of(TestMetrics metrics, Labelling labelling) {
    return metrics instanceof GroupedMetrics grouped
        ? of(grouped.all(), labelling, Optional.of(GroupsEntry.of(grouped, labelling)))
        : of(metrics, labelling, Optional.empty());
  }

  private static TestDocument of(
      TestMetrics metrics, Labelling labelling, Optional<GroupsEntry> groups) {
    return metrics instanceof ClassMetrics classes
        ? of(classes, ((ClassLabels) labelling).names(), groups)
        : of((TargetMetrics) metrics, (TargetRange) labelling, groups);
  }

  private static TestDocument of(
      ClassMetrics metrics, List<String> names, Optional<GroupsEntry> groups) {
    List<OfClass> classes =
        IntStream.range(0, names.size()).mapToObj(c -> ofClass(names.get(c), metrics, c)).toList();
    Optional<Ranking> ranking = metrics.macroRanking();
    Optional<Probabilities> probabilities = metrics.probabilities();
    String event = names.size() == 2 ? "class " + names.get(1) : "the class that the model says";
    return new TestDocument(
        metrics.rows(),
        new Baseline(names.get(metrics.majority()), round(metrics.baseline())),
        Optional.of(Figure.of(metrics.accuracy())),
        OptionalDouble.of(round(metrics.balancedAccuracy())),
        OptionalDouble.of(round(metrics.macroF1())),
        ranking.map(r -> FigureWithBaseline.of(r.auc(), 0.5)),
        ranking.map(r -> FigureWithBaseline.of(r.averagePrecision(), metrics.rankingBaseline())),
        probabilities.map(p -> FigureWithBaseline.of(p.logLoss(), p.baseline())),
        probabilities.map(p -> CalibrationEntry.of(p.reliability(), event)),
        Optional.of(classes),
        metrics.confusion().isEmpty() ? Optional.empty() : Optional.of(metrics.confusion()),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.of(IntervalsEntry.of(metrics)),
        CurveEntry.of(metrics, names),
        groups);
  }

  private static OfClass ofClass(String name, ClassMetrics metrics, int c) {
    ClassMetrics.OfClass of = metrics.classes().get(c);
    Optional<Ranking> ranking =
        metrics.rankings().isEmpty() ? Optional.empty() : metrics.rankings().get(c);
    return new OfClass(
        name,
        of.rows(),
        round(of.precision()),
        round(of.recall()),
        round(of.f1()),
        ranking.map(r -> Figure.of(r.auc())),
        ranking.map(r -> Figure.of(r.averagePrecision())));
  }

  private static TestDocument of(
      TargetMetrics metrics, TargetRange range, Optional<GroupsEntry> groups) {
    double unit = (range.max() - range.min()) / 2;
    Estimate error = metrics.absolute().times(unit);
    return new TestDocument(
        metrics.rows(),
        new Baseline(DisplayNumber.value(range.target(0)), unit * metrics.baseline()),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Figure.exact(error)),
        OptionalDouble.of(unit * unit * metrics.square()),
        metrics.r2(),
        Optional.of(SpreadBin.of(metrics.spread(), range)),
        Optional.of(IntervalsEntry.of(metrics, unit)),
        Optional.empty(),
        groups);
  }

  /** A share to six digits after the point: no test has as many rows as more would need. */
  static double round(double share) {
    return Math.rint(share * 1e6) / 1e6;
  }

  /** Accuracy, or the mean absolute error. */
  public Figure figure() {
    return accuracy.or(() -> meanAbsoluteError).orElseThrow();
  }

  /**
   * Of rows outside any study: sentences, then figures by group where rows have some, by class and
   * the confusion matrix where labels are classes.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    sentences("rows").forEach(line -> text.append(line).append('\n'));
    groups.ifPresent(of -> text.append('\n').append(of.table()));
    classTable().ifPresent(table -> text.append('\n').append(table));
    confusionTable().ifPresent(table -> text.append('\n').append(table));
    return text.toString();
  }

  /** The figures in words, those beside which they have to be seen included. */
  public List<String> sentences() {
    return sentences("public test rows");
  }

  private List<String> sentences(String what) {
    List<String> sentences =
        new ArrayList<>(List.of("On " + rows + " " + what + ": " + sentence()));
    auc.ifPresent(
        area ->
            sentences.add(
                "How well it puts rows of a class above others, the mean over classes: area under the ROC curve %s; average precision %s."
                    .formatted(area.percent(), averagePrecision.orElseThrow().percent())));
    logLoss.ifPresent(
        loss ->
            sentences.add(
                "Its probabilities: log loss %s (95%% interval %s, %s for saying the classes' shares); expected calibration error %s, of which chance alone makes about %s."
                    .formatted(
                        DisplayNumber.value(loss.figure().value()),
                        loss.figure().range(),
                        DisplayNumber.value(loss.baseline()),
                        DisplayNumber.percent(calibration.orElseThrow().error()),
                        DisplayNumber.percent(calibration.orElseThrow().byChance()))));
    if (accuracy.isPresent() && logLoss.isEmpty()) {
      sentences.add(
          "It has no log loss and no calibration: the loss that it was trained by knows no"
              + " probabilities.");
    }
    return sentences;
  }

  private String sentence() {
    return accuracy
        .map(
            figure ->
                "accuracy %s (95%% interval %s), where always saying %s has %s; balanced accuracy %s, macro F1 %s."
                    .formatted(
                        DisplayNumber.percent(figure.value()),
                        figure.shares(),
                        baseline.says(),
                        DisplayNumber.percent(baseline.value()),
                        DisplayNumber.percent(balancedAccuracy.orElseThrow()),
                        DisplayNumber.percent(macroF1.orElseThrow())))
        .orElseGet(this::sentenceOfTargets);
  }

  private String sentenceOfTargets() {
    Figure error = meanAbsoluteError.orElseThrow();
    return "mean absolute error %s (95%% interval %s), where always saying %s has %s; mean squared error %s%s."
        .formatted(
            DisplayNumber.value(error.value()),
            error.range(),
            baseline.says(),
            DisplayNumber.value(baseline.value()),
            DisplayNumber.value(meanSquaredError.orElseThrow()),
            r2.isPresent() ? ", R² " + DisplayNumber.value(r2.getAsDouble()) : "");
  }

  /** Precision, recall and F1 of every class; empty for real targets. */
  public Optional<DataTable> classTable() {
    return classes.map(
        all ->
            DataTable.of(
                List.of("class", "test rows", "precision", "recall", "F1", "AUC", "av. precision"),
                all,
                c ->
                    DataTable.row(
                        c.name(),
                        Long.toString(c.rows()),
                        DisplayNumber.percent(c.precision()),
                        DisplayNumber.percent(c.recall()),
                        DisplayNumber.percent(c.f1()),
                        percent(c.auc()),
                        percent(c.averagePrecision()))));
  }

  private static String percent(Optional<Figure> figure) {
    return figure.map(f -> DisplayNumber.percent(f.value())).orElse("");
  }

  /** A line for each class, a column for each that the model says; empty beyond 20 classes. */
  public Optional<DataTable> confusionTable() {
    return confusion.flatMap(
        counts ->
            confusionTable(
                classes.orElseThrow().stream().map(OfClass::name).toList(),
                counts,
                String::valueOf));
  }

  /** The same of other counts, in words. */
  static <T> Optional<DataTable> confusionTable(
      List<String> names, List<List<T>> counts, Function<T, String> words) {
    if (names.size() > MOST_SHOWN) {
      return Optional.empty();
    }
    List<String> head = new ArrayList<>(List.of("class"));
    names.forEach(name -> head.add("said " + name));
    List<DataTable.Row> lines = new ArrayList<>();
    for (int c = 0; c < names.size(); c++) {
      lines.add(new DataTable.Row(names.get(c), counts.get(c).stream().map(words).toList()));
    }
    return Optional.of(new DataTable(head, lines));
  }
}
