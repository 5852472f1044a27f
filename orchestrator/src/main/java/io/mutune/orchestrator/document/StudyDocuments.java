package io.mutune.orchestrator.document;

import io.mutune.orchestrator.study.StudyResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What the page of a study may know: its public sweep's description and the documents that stand
 * beside the page. Nothing else is at hand where the page is made.
 */
public record StudyDocuments(
    String description, PlanDocument plan, StatementDocument statement, ResultDocument result) {

  public static StudyDocuments of(StudyResult result) {
    return new StudyDocuments(
        result.study().sweep().description(),
        PlanDocument.of(result.study().plan()),
        StatementDocument.of(result),
        ResultDocument.of(result));
  }

  public List<RunEntry> trials() {
    return result.trials();
  }

  /** The final run, or its numbers where a trial's model is {@link #kept}. */
  public RunEntry finalRun() {
    return result.last();
  }

  /**
   * The trial whose model is the result, so that there is no final run; empty where one follows.
   */
  public Optional<RunEntry> kept() {
    OptionalInt number = finalRun().trial();
    return trials().stream()
        .filter(trial -> number.isPresent() && trial.trial().equals(number))
        .findFirst();
  }

  /** Every run that led to the result, in order. */
  public List<RunEntry> runs() {
    return kept().isPresent()
        ? trials()
        : Stream.concat(trials().stream(), Stream.of(finalRun())).toList();
  }

  /** What the plan says of a trial: its μ, among others, where it has one. */
  public Optional<RunEntry> planned(RunEntry trial) {
    return plan.trials().stream().filter(p -> p.trial().equals(trial.trial())).findFirst();
  }

  /** What the plan says that the final run costs alone; empty where it has no such charge. */
  public Optional<PlanDocument.ChargeCost> finalCharge() {
    return plan.charges().stream().filter(charge -> charge.what().equals("final")).findFirst();
  }

  /** The charges in the order of the plan: trials that run at once are charged as they come. */
  public List<StatementDocument.ChargeEntry> charges() {
    List<String> order = plan.charges().stream().map(PlanDocument.ChargeCost::what).toList();
    return statement.charges().stream()
        .sorted(
            Comparator.comparingInt(
                charge ->
                    order.contains(charge.what()) ? order.indexOf(charge.what()) : order.size()))
        .toList();
  }

  public TrialScores scores() {
    return result.scores().orElse(TrialScores.NONE);
  }

  /** Whether all trials and the final run have this number. */
  public boolean everyRunHas(String key) {
    return finalRun().number(key).isPresent()
        && trials().stream().allMatch(trial -> trial.number(key).isPresent());
  }
}
