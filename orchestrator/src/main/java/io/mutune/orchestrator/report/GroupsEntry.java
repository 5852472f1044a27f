package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.TestDocument.Baseline;
import io.mutune.orchestrator.report.TestDocument.Figure;
import io.mutune.orchestrator.report.TestDocument.Judged;
import io.mutune.trainer.data.Labelling;
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
record GroupsEntry(String column, List<Group> groups) {
  /**
   * The rows of one value; without rows that alone is there.
   *
   * @param baseline of these rows
   */
  record Group(
      String name,
      long rows,
      Optional<Baseline> baseline,
      Optional<Figure> accuracy,
      OptionalDouble balancedAccuracy,
      OptionalDouble macroF1,
      Optional<Judged> auc,
      Optional<Judged> averagePrecision,
      Optional<Judged> logLoss,
      Optional<Figure> meanAbsoluteError) {}

  static GroupsEntry of(GroupedMetrics metrics, Labelling labelling) {
    return new GroupsEntry(
        metrics.column(),
        metrics.groups().stream()
            .map(group -> of(group.name(), TestDocument.of(group.metrics(), labelling)))
            .toList());
  }

  private static Group of(String name, TestDocument test) {
    if (test.rows() == 0) {
      return new Group(
          name,
          0,
          Optional.empty(),
          Optional.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
    return new Group(
        name,
        test.rows(),
        Optional.of(test.baseline()),
        test.accuracy(),
        test.balancedAccuracy(),
        test.macroF1(),
        test.auc(),
        test.averagePrecision(),
        test.logLoss(),
        test.meanAbsoluteError());
  }

  /** A line for each group. */
  DataTable table() {
    boolean classes = groups.stream().anyMatch(group -> group.accuracy().isPresent());
    return classes
        ? new DataTable(
            List.of(column, "test rows", "accuracy", "baseline", "balanced", "macro F1", "AUC"),
            groups.stream().map(GroupsEntry::ofClasses).toList())
        : new DataTable(
            List.of(column, "test rows", "mean absolute error", "baseline"),
            groups.stream().map(GroupsEntry::ofTargets).toList());
  }

  private static DataTable.Row ofClasses(Group group) {
    return DataTable.row(
        group.name(),
        Long.toString(group.rows()),
        group.accuracy().map(Figure::percent).orElse(""),
        group.baseline().map(b -> DisplayNumber.percent(b.value())).orElse(""),
        percent(group.balancedAccuracy()),
        percent(group.macroF1()),
        group.auc().map(auc -> DisplayNumber.percent(auc.value())).orElse(""));
  }

  private static DataTable.Row ofTargets(Group group) {
    return DataTable.row(
        group.name(),
        Long.toString(group.rows()),
        group
            .meanAbsoluteError()
            .map(
                error ->
                    "%s (%s to %s)"
                        .formatted(
                            DisplayNumber.value(error.value()),
                            DisplayNumber.value(error.low()),
                            DisplayNumber.value(error.high())))
            .orElse(""),
        group.baseline().map(b -> DisplayNumber.value(b.value())).orElse(""));
  }

  private static String percent(OptionalDouble share) {
    return share.isPresent() ? DisplayNumber.percent(share.getAsDouble()) : "";
  }
}
