package io.mutune.orchestrator.cli.study;

import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.document.ProvenanceDocument;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.report.StudyFolder;
import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Provenance;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune status}. */
@Command(
    name = "status",
    description = "Show where a study stands: its runs, and what it has spent and has left.")
final class StatusCommand extends CliCommand {
  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description = "id, name-id or folder (default: the newest)")
  private @Nullable String study;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.ofNullable(study))) {
      Study found = Study.ofRecord(record(store));
      StatusDocument status = StatusDocument.of(store, found);
      String state = Study.stateOf(store, found.record());
      List<StudyNote> notes = store.notes(found.id());
      Optional<Instant> next = Optional.ofNullable(StudyQueue.scheduled(store).get(found.id()));
      out()
          .print(
              format.json()
                  ? json(status, state, notes, next)
                  : text(status, state, notes)
                      + next.map(at -> "\n" + again(found.record(), at)).orElse(""));
      return ExitCode.DONE;
    }
  }

  /** By its schedule, which is that of its latest study. */
  static String again(StudyRecord study, Instant next) {
    return "%1$s-%2$s runs again at %3$s, at the cost of its budget; 'mutune cancel %2$s' ends that%n"
        .formatted(study.name(), study.id(), next);
  }

  private StudyRecord record(StudyStore store) {
    if (study != null) {
      return StudyFinder.find(store, study);
    }
    List<StudyRecord> studies = store.studies();
    if (studies.isEmpty()) {
      throw new UsageException("there is no study here; run a sweep first");
    }
    return studies.get(studies.size() - 1);
  }

  private static String json(
      StatusDocument status, String state, List<StudyNote> notes, Optional<Instant> next) {
    ObjectNode json =
        status
            .json(state, status.spending().epsilonSpent())
            .put("folder", status.study().record().output().toString());
    status.study().record().reason().ifPresent(reason -> json.put("reason", reason));
    next.ifPresent(at -> json.put("next", at.toString()));
    json.set(
        "provenance",
        Json.tree(ProvenanceDocument.of(Provenance.processes(notes), Provenance.data(notes))));
    return Json.write(json);
  }

  private static String text(StatusDocument status, String state, List<StudyNote> notes) {
    Study study = status.study();
    Spending spending = status.spending();
    DataTable table =
        DataTable.of(
            List.of("run", "state", "starts", "steps", "lost steps", "score"),
            status.runs(),
            run ->
                DataTable.row(
                    run.what(),
                    run.state(),
                    Integer.toString(run.record().starts()),
                    Integer.toString(run.record().stepsBegun()),
                    Integer.toString(run.record().stepsLost()),
                    DisplayNumber.ifPresent(run.record().score(), DisplayNumber::percent)));
    return GuaranteeNote.line(VoidReasons.of(study.plan()))
        + String.format(
            Locale.ROOT,
            "%s-%s: %s%s%n%n%s%n",
            study.record().name(),
            study.id(),
            state,
            study.record().state() == StudyState.FINISHED
                ? ", in " + StudyFolder.told(study.record())
                : study.record().reason().map(reason -> ": " + reason).orElse(""),
            table)
        + spending
            .inMu()
            .map(balance -> inMu(balance, study.record().state().isFinal()))
            .orElseGet(() -> asPlanned(spending))
        + ProvenanceDocument.of(Provenance.processes(notes), Provenance.data(notes)).text();
  }

  private static String inMu(Balance balance, boolean hasEnded) {
    return String.format(
        Locale.ROOT,
        "spent: epsilon %s, mu %s%nleft:  %s%ntotal: epsilon %s, mu %s at delta %s%n",
        DisplayNumber.cost(balance.epsilonSpent()),
        DisplayNumber.cost(balance.spent().mu()),
        left(balance, hasEnded),
        DisplayNumber.cost(balance.budget().epsilon()),
        DisplayNumber.cost(balance.budget().cap().mu()),
        DisplayNumber.delta(balance.budget().delta()));
  }

  /** Told with what it is good for: beside what is spent, its ε alone looks like too much. */
  private static String left(Balance balance, boolean hasEnded) {
    if (balance.left().mu().value() == 0) {
      return "nothing";
    }
    String left = DisplayNumber.left(balance.left().mu());
    return hasEnded
        ? "mu %s, which no run will spend: the study has ended".formatted(left)
        : "mu %s, enough for one more run of epsilon %s (squares of mu add up, epsilons do not)"
            .formatted(left, DisplayNumber.left(balance.epsilonLeft()));
  }

  private static String asPlanned(Spending spending) {
    return String.format(
        Locale.ROOT,
        "spent: epsilon %s, in %d of %d planned charges%ntotal: epsilon %s at delta %s%n",
        DisplayNumber.cost(spending.epsilonSpent()),
        spending.charges().size(),
        spending.planned(),
        DisplayNumber.cost(spending.budget().epsilon()),
        DisplayNumber.delta(spending.budget().delta()));
  }
}
