package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.orchestrator.document.TestDocument.FigureWithBaseline;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.NoisyBinMetrics;
import io.mutune.trainer.score.NoisyClassMetrics;
import io.mutune.trainer.score.NoisyTargetMetrics;
import io.mutune.trainer.score.NoisyTestMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the model is worth on private test rows, by families of noisy counts other than the matrix
 * of {@link NoisyTestDocument}; intervals are what the noise and the choice of the rows leave with
 * 95%.
 *
 * @param accuracy with the interval of the one noisy count, where that was asked for
 * @param meanAbsoluteError the same of real targets, in their unit
 * @param probabilities from bins of how sure the model is
 * @param squares of real targets, in their unit
 * @param groups from a confusion matrix of each
 */
public record NoisyTestFigures(
    @JsonUnwrapped NoisyTestRows rows,
    Optional<FigureWithBaseline> accuracy,
    Optional<Figure> meanAbsoluteError,
    Optional<Bins> probabilities,
    Optional<Squares> squares,
    Optional<Groups> groups) {

  /** By the values of a column. */
  public record Groups(String column, List<Group> groups) {}

  /**
   * One group.
   *
   * @param rows a noisy count
   */
  public record Group(
      String name, double rows, Figure accuracy, Figure balancedAccuracy, Figure macroF1) {}

  /**
   * From bins.
   *
   * @param noise the standard deviation of what was added to every count
   * @param logLoss of a row at most 10 bits; absent, like {@code brier}, where the model's loss
   *     knows no probabilities
   */
  public record Bins(
      double noise,
      Optional<FigureWithBaseline> logLoss,
      Optional<FigureWithBaseline> brier,
      List<OfClass> classes) {}

  /**
   * The second of two classes, or each against the rest.
   *
   * @param share of all rows those of the class
   */
  public record OfClass(
      String name, Figure share, Figure auc, FigureWithBaseline averagePrecision, List<Bin> bins) {}

  /**
   * Rows by how sure the model is that they are of the class.
   *
   * @param from a probability, or what the logistic function makes of how far a class is ahead
   * @param rows a noisy count
   * @param came how many are of the class
   */
  public record Bin(double from, double to, double rows, Figure came) {}

  /**
   * From squared errors.
   *
   * @param noise the standard deviation of what was added to every sum, of measures from 0 to 1
   * @param r2 absent where noise hides how far targets vary
   */
  public record Squares(double noise, FigureWithBaseline meanSquaredError, Optional<Figure> r2) {}

  /** Empty unless one of these families was counted on private test rows. */
  static Optional<NoisyTestFigures> of(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    Labelling labelling = sweep.data().training().spec().labelling();
    return result
        .test()
        .filter(NoisyTestMetrics.class::isInstance)
        .map(NoisyTestMetrics.class::cast)
        .filter(
            metrics ->
                metrics.accuracy().isPresent()
                    || metrics.bins().isPresent()
                    || metrics.targets().isPresent()
                    || metrics.groups().isPresent())
        .map(
            metrics ->
                labelling instanceof TargetRange range
                    ? ofTargets(metrics, sweep, range)
                    : ofClasses(metrics, sweep, ((ClassLabels) labelling).names()));
  }

  private static NoisyTestFigures ofClasses(
      NoisyTestMetrics metrics, SweepDefinition sweep, List<String> names) {
    boolean calibrated = sweep.train().loss().link() != Link.NONE;
    return new NoisyTestFigures(
        NoisyTestRows.of(metrics.units(), sweep),
        metrics.accuracy().map(accuracy -> FigureWithBaseline.of(accuracy, 1.0 / names.size())),
        Optional.empty(),
        metrics.bins().map(bins -> bins(bins, names, calibrated)),
        Optional.empty(),
        metrics.groups().map(NoisyTestFigures::groups));
  }

  private static Groups groups(NoisyTestMetrics.Groups groups) {
    List<Group> each = new ArrayList<>();
    for (int i = 0; i < groups.each().size(); i++) {
      NoisyClassMetrics of = groups.each().get(i);
      double rows = 0;
      for (int c = 0; c < of.classes(); c++) {
        rows += of.rows(c);
      }
      each.add(
          new Group(
              groups.by().names().get(i),
              TestDocument.round(rows),
              Figure.of(of.accuracyOfCounted()),
              Figure.of(of.balancedAccuracy()),
              Figure.of(of.macroF1())));
    }
    return new Groups(groups.by().column(), each);
  }

  private static Bins bins(NoisyBinMetrics bins, List<String> names, boolean calibrated) {
    List<OfClass> classes = new ArrayList<>();
    for (int i = 0; i < bins.histograms().size(); i++) {
      Estimate share = bins.share(i);
      classes.add(
          new OfClass(
              names.get(bins.histograms().get(i)),
              Figure.of(share),
              Figure.of(bins.auc(i)),
              FigureWithBaseline.of(bins.averagePrecision(i), share.value()),
              bins.bins(i).stream()
                  .map(
                      bin ->
                          new Bin(
                              TestDocument.round(bin.low()),
                              TestDocument.round(bin.high()),
                              TestDocument.round(bin.rows()),
                              Figure.of(bin.frequency())))
                  .toList()));
    }
    return new Bins(
        bins.sigma(),
        calibrated
            ? Optional.of(FigureWithBaseline.of(bins.logLoss(), bins.logLossBaseline()))
            : Optional.empty(),
        calibrated
            ? Optional.of(FigureWithBaseline.of(bins.brier(), bins.brierBaseline()))
            : Optional.empty(),
        classes);
  }

  private static NoisyTestFigures ofTargets(
      NoisyTestMetrics metrics, SweepDefinition sweep, TargetRange range) {
    double width = range.max() - range.min();
    return new NoisyTestFigures(
        NoisyTestRows.of(metrics.units(), sweep),
        Optional.empty(),
        metrics
            .accuracy()
            .map(
                close ->
                    new Figure(
                        width * (1 - close.value()),
                        width * (1 - close.high()),
                        width * (1 - close.low()))),
        Optional.empty(),
        metrics.targets().map(targets -> squares(targets, width * width / 4)),
        Optional.empty());
  }

  private static Squares squares(NoisyTargetMetrics targets, double unit) {
    Estimate square = targets.square().times(unit);
    return new Squares(
        targets.sigma(),
        new FigureWithBaseline(Figure.exact(square), targets.baseline().value() * unit),
        targets.r2().map(Figure::exact));
  }

  /** A line for each group. */
  Optional<DataTable> groupTable() {
    return groups.map(
        all ->
            DataTable.of(
                List.of(all.column(), rows.head(), "accuracy", "balanced", "macro F1"),
                all.groups(),
                group ->
                    DataTable.row(
                        group.name(),
                        Long.toString(Math.round(group.rows())),
                        group.accuracy().percent(),
                        group.balancedAccuracy().percent(),
                        group.macroF1().percent())));
  }

  /** The figures in words. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    String on = rows.words() + ": ";
    accuracy.ifPresent(
        figure ->
            sentences.add(
                on
                    + "accuracy %s, where guessing has %s; which class has most rows is not known."
                        .formatted(
                            figure.figure().percent(), DisplayNumber.percent(figure.baseline()))));
    meanAbsoluteError.ifPresent(
        figure -> sentences.add(on + "mean absolute error " + figure.shown() + "."));
    squares.ifPresent(
        found ->
            sentences.add(
                on
                    + "mean squared error %s, where the middle of the range has %s; R² %s."
                        .formatted(
                            found.meanSquaredError().figure().shown(),
                            DisplayNumber.value(found.meanSquaredError().baseline()),
                            found.r2().map(Figure::shown).orElse("is hidden by the noise"))));
    probabilities.ifPresent(bins -> addBins(on, rows.counted(), bins, sentences));
    return sentences;
  }

  private static void addBins(String on, String counted, Bins bins, List<String> sentences) {
    for (OfClass of : bins.classes()) {
      sentences.add(
          on
              + "class %s has %s of the %s; area under the ROC curve %s, average precision %s (%s, by chance %s)."
                  .formatted(
                      of.name(),
                      of.share().percent(),
                      counted,
                      of.auc().percent(),
                      DisplayNumber.percent(of.averagePrecision().figure().value()),
                      of.averagePrecision().figure().shares(),
                      DisplayNumber.percent(of.averagePrecision().baseline())));
    }
    if (bins.logLoss().isPresent() && bins.brier().isPresent()) {
      FigureWithBaseline loss = bins.logLoss().get();
      FigureWithBaseline brier = bins.brier().get();
      sentences.add(
          "Its probabilities: log loss %s (%s, %s for saying the classes' shares), Brier score %s (%s, likewise %s)."
              .formatted(
                  DisplayNumber.value(loss.figure().value()),
                  loss.figure().range(),
                  DisplayNumber.value(loss.baseline()),
                  DisplayNumber.value(brier.figure().value()),
                  brier.figure().range(),
                  DisplayNumber.value(brier.baseline())));
    }
  }
}
