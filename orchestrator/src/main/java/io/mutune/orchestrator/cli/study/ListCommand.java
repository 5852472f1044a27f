package io.mutune.orchestrator.cli.study;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.FinishedStudyFigures;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune list}. */
@Command(name = "list", description = "List the studies of a store, oldest first.")
final class ListCommand extends CliCommand {
  /** Of what is not there, and of a finished study whose results are not in this folder. */
  private static final String NONE = "-";

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.empty())) {
      List<StudyRecord> studies = store.studies();
      out().print(format.json() ? json(store, studies) : table(store, studies));
      return ExitCode.DONE;
    }
  }

  private static String json(StudyStore store, List<StudyRecord> studies) {
    ObjectNode json = Json.document();
    ArrayNode array = json.putArray("studies");
    Map<String, Instant> scheduled = StudyQueue.scheduled(store);
    for (StudyRecord study : studies) {
      ObjectNode entry = array.addObject().put("study", study.id()).put("name", study.name());
      entry.put("state", Study.stateOf(store, study));
      study.reason().ifPresent(reason -> entry.put("reason", reason));
      if (study.state() != StudyState.REFUSED) {
        plan(study)
            .map(VoidReasons::of)
            .ifPresent(r -> entry.setAll(Json.tree(GuaranteeNote.of(r))));
      }
      FinishedStudyFigures.of(study).ifPresent(figures -> entry.setAll(Json.tree(figures)));
      entry.put("created", study.created().toString());
      Optional.ofNullable(scheduled.get(study.id()))
          .ifPresent(next -> entry.put("next", next.toString()));
      entry.put("folder", study.output().toString());
    }
    return Json.write(json);
  }

  private static String table(StudyStore store, List<StudyRecord> studies) {
    DataTable table =
        DataTable.of(
            List.of("study", "name", "state", "test", "epsilon", "time", "created", "folder"),
            studies,
            study -> row(store, study));
    StringBuilder text = new StringBuilder(table.toString());
    Map<String, Instant> scheduled = StudyQueue.scheduled(store);
    for (StudyRecord study : studies) {
      Optional.ofNullable(scheduled.get(study.id()))
          .map(next -> StatusCommand.again(study, next))
          .ifPresent(line -> text.append('\n').append(line));
    }
    return text.toString();
  }

  private static DataTable.Row row(StudyStore store, StudyRecord study) {
    Optional<FinishedStudyFigures> figures = FinishedStudyFigures.of(study);
    OptionalDouble seconds =
        figures.map(FinishedStudyFigures::seconds).orElse(OptionalDouble.empty());
    return DataTable.row(
        study.id(),
        study.name(),
        Study.stateOf(store, study),
        figures.map(FinishedStudyFigures::tested).orElse(""),
        epsilon(study, figures),
        DisplayNumber.ifPresent(seconds, DisplayNumber::time),
        study.created().truncatedTo(ChronoUnit.SECONDS).toString(),
        hasFolder(study, figures) ? study.output().toString() : NONE);
  }

  /**
   * Of a finished study what it spent, of others what their plan allows. A refused one asked
   * nothing and states nothing, and what a finished one spent is in its statement alone.
   */
  private static String epsilon(StudyRecord study, Optional<FinishedStudyFigures> figures) {
    if (study.state() == StudyState.REFUSED) {
      return NONE;
    }
    OptionalDouble spent =
        figures.map(FinishedStudyFigures::guaranteed).orElse(OptionalDouble.empty());
    return spent.isPresent()
        ? DisplayNumber.cost(Epsilon.of(spent.getAsDouble()))
        : plan(study).map(plan -> ofPlan(plan, isElsewhere(study, figures))).orElse("unknown");
  }

  private static String ofPlan(StudyPlan plan, boolean isElsewhere) {
    if (!VoidReasons.of(plan).isEmpty()) {
      return "DOES NOT HOLD";
    }
    return isElsewhere ? NONE : "at most " + DisplayNumber.cost(plan.budget().epsilon());
  }

  private static boolean hasFolder(StudyRecord study, Optional<FinishedStudyFigures> figures) {
    return study.state() != StudyState.REFUSED && !isElsewhere(study, figures);
  }

  /** Its results are left in the folder of whoever ended it, which may be another machine's. */
  private static boolean isElsewhere(StudyRecord study, Optional<FinishedStudyFigures> figures) {
    return study.state() == StudyState.FINISHED && figures.isEmpty();
  }

  /** Nothing of a study that this version cannot plan. */
  private static Optional<StudyPlan> plan(StudyRecord study) {
    try {
      return Optional.of(Study.ofRecord(study).plan());
    } catch (InvalidSweepException | OverBudgetException e) {
      return Optional.empty();
    }
  }
}
