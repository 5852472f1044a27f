package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.study.ReleasedModel;
import io.mutune.orchestrator.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A model beside the final one in a result.
 *
 * @param model its name on the ledger
 * @param folder of its files within the study's
 * @param run with the ε of that run alone
 * @param test where the test rows are public
 */
public record ReleaseEntry(String model, String folder, RunEntry run, Optional<TestDocument> test) {
  private static ReleaseEntry of(StudyResult result, ReleasedModel released) {
    StudyPlan plan = result.study().plan();
    return new ReleaseEntry(
        released.planned().name(),
        released.planned().folder(),
        new RunEntry(
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalDouble.of(released.planned().epsilon().value()),
            OptionalDouble.of(released.planned().mu().value()),
            RunEntry.point(released.decision().point(), plan.sweep(), released.planned().mu()),
            OptionalInt.empty(),
            plan.sigma(released.charge()),
            released.decision().from(),
            OptionalInt.of(released.lostSteps()),
            OptionalDouble.empty(),
            Optional.empty()),
        TestDocument.of(result, released.test()));
  }

  /** Empty where there is one model. */
  static Optional<List<ReleaseEntry>> of(StudyResult result) {
    List<ReleaseEntry> entries =
        result.releases().stream().map(released -> of(result, released)).toList();
    return entries.isEmpty() ? Optional.empty() : Optional.of(entries);
  }

  /** For a terminal. */
  static DataTable table(List<ReleaseEntry> entries) {
    return DataTable.of(
        List.of("model", "epsilon alone", "learning rate", "steps", "sigma", "test", "folder"),
        entries,
        entry ->
            DataTable.row(
                entry.model,
                DisplayNumber.epsilon(entry.run.epsilon().orElseThrow()),
                DisplayNumber.ifPresent(entry.run.number("learningRate"), DisplayNumber::value),
                DisplayNumber.ifPresent(entry.run.number("steps"), DisplayNumber::value),
                DisplayNumber.ifPresent(entry.run.sigma(), DisplayNumber::sigma),
                entry.test.map(ReleaseEntry::shown).orElse(""),
                entry.folder));
  }

  /** Its figure as people read it. */
  public static String shown(TestDocument test) {
    double value = test.figure().value();
    return test.accuracy().isPresent() ? DisplayNumber.percent(value) : DisplayNumber.value(value);
  }

  /** For a page: of every model, the final one last. */
  public static DataTable table(StudyDocuments study) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (ReleaseEntry entry : study.result().releases().orElse(List.of())) {
      rows.add(row(study, entry.model, entry.folder, entry.test));
    }
    rows.add(row(study, "final", "", study.result().test()));
    return new DataTable(List.of("model", "ε with the tuning", "test", "folder"), rows);
  }

  private static DataTable.Row row(
      StudyDocuments study, String model, String folder, Optional<TestDocument> test) {
    return DataTable.row(
        model,
        study
            .statement()
            .models()
            .flatMap(models -> models.of(model))
            .map(cost -> DisplayNumber.epsilon(cost.epsilon()))
            .orElse(""),
        test.map(ReleaseEntry::shown).orElse(""),
        folder);
  }
}
