package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.TestDocument.Baseline;
import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.orchestrator.document.TestDocument.FigureWithBaseline;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.score.GroupedMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Figures of the public test rows by the values of one column.
 *
 * @param column its name
 * @param groups every value, those without rows too
 */
public record GroupsEntry(String column, List<Group> groups) {
  /**
   * The rows of one value; without rows that alone is there.
   *
   * @param baseline of these rows
   */
  public record Group(
      String name,
      long rows,
      Optional<Baseline> baseline,
      Optional<Figure> accuracy,
      OptionalDouble balancedAccuracy,
      OptionalDouble macroF1,
      Optional<FigureWithBaseline> auc,
      Optional<FigureWithBaseline> averagePrecision,
      Optional<FigureWithBaseline> logLoss,
      Optional<Figure> meanAbsoluteError) {}

  static GroupsEntry of(GroupedMetrics metrics, Labelling labelling) {
    return new GroupsEntry(
        metrics.column(),
        metrics.groups().stream()
            .map(group -> of(group.name(), TestDocument.of(group.metrics(), labelling)))
            .toList());
  }

  private static Group of(String name, TestDocument test) {
    boolean any = test.rows() > 0;
    return new Group(
        name,
        test.rows(),
        Optional.of(test.baseline()).filter(figure -> any),
        test.accuracy().filter(figure -> any),
        any ? test.balancedAccuracy() : OptionalDouble.empty(),
        any ? test.macroF1() : OptionalDouble.empty(),
        test.auc().filter(figure -> any),
        test.averagePrecision().filter(figure -> any),
        test.logLoss().filter(figure -> any),
        test.meanAbsoluteError().filter(figure -> any));
  }

  /** A line for each group. */
  public DataTable table() {
    boolean classes = groups.stream().anyMatch(group -> group.accuracy().isPresent());
    return classes
        ? DataTable.of(
            List.of(column, "test rows", "accuracy", "baseline", "balanced", "macro F1", "AUC"),
            groups,
            GroupsEntry::ofClasses)
        : DataTable.of(
            List.of(column, "test rows", "mean absolute error", "baseline"),
            groups,
            GroupsEntry::ofTargets);
  }

  private static DataTable.Row ofClasses(Group group) {
    return DataTable.row(
        group.name(),
        Long.toString(group.rows()),
        group.accuracy().map(Figure::percent).orElse(""),
        group.baseline().map(b -> DisplayNumber.percent(b.value())).orElse(""),
        DisplayNumber.ifPresent(group.balancedAccuracy(), DisplayNumber::percent),
        DisplayNumber.ifPresent(group.macroF1(), DisplayNumber::percent),
        group.auc().map(auc -> DisplayNumber.percent(auc.figure().value())).orElse(""));
  }

  private static DataTable.Row ofTargets(Group group) {
    return DataTable.row(
        group.name(),
        Long.toString(group.rows()),
        group.meanAbsoluteError().map(Figure::shown).orElse(""),
        group.baseline().map(b -> DisplayNumber.value(b.value())).orElse(""));
  }
}
