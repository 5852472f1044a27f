package io.mutune.orchestrator.cli;

import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.report.GuaranteeNote;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.Show;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.VoidReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune status}. */
@Command(
    name = "status",
    description = "Show where a study stands: its runs, and what it has spent and has left.")
final class StatusCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description = "id, name-id or folder (default: the newest)")
  private @Nullable String study;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  /** One run of the study with its name in the ledger. */
  private record Run(String what, TrialRecord record) {}

  @Override
  public Integer call() {
    try (StudyStore store = finder.open(Optional.ofNullable(study))) {
      Study found = Study.ofRecord(record(store));
      Spending spending =
          new Spending(
              found.plan(), store.charges(found.id()).stream().map(StoredCharge::charge).toList());
      List<Run> runs = new ArrayList<>();
      for (PlannedTrial trial : found.plan().trials()) {
        String what = found.plan().trialCharge(trial).what();
        runs.add(new Run(what, store.trial(found.id(), trial.number())));
      }
      runs.add(new Run("final", store.trial(found.id(), TrialRecord.FINAL)));
      Output.of(spec)
          .print(format.json() ? json(found, spending, runs) : text(found, spending, runs));
      return ExitCode.DONE;
    }
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

  private static String json(Study study, Spending spending, List<Run> runs) {
    Budget budget = spending.budget();
    ObjectNode json = Json.document();
    json.put("study", study.id()).put("name", study.record().name());
    json.put("state", Study.stateOf(study.record()));
    json.put("folder", study.record().output().toString());
    GuaranteeNote.put(json, VoidReasons.of(study.plan()));
    json.put("delta", budget.delta().value());
    json.putObject("budget")
        .put("mu", budget.cap().mu().value())
        .put("epsilon", budget.epsilon().value());
    ObjectNode spent = json.putObject("spent");
    ObjectNode left = json.putObject("left");
    Optional<Balance> inMu = spending.inMu();
    if (inMu.isPresent()) {
      spent.put("mu", inMu.get().spent().mu().value());
      left.put("mu", inMu.get().left().mu().value())
          .put("epsilon", inMu.get().epsilonLeft().value());
    } else {
      left.put("charges", spending.planned() - spending.charges().size());
    }
    spent.put("epsilon", spending.epsilonSpent().value());
    ArrayNode array = json.putArray("runs");
    for (Run run : runs) {
      ObjectNode entry = array.addObject().put("run", run.what());
      entry.put("state", word(run.record().state())).put("starts", run.record().starts());
      entry.put("stepsBegun", run.record().stepsBegun());
      entry.put("stepsLost", run.record().stepsLost());
      run.record().score().ifPresent(score -> entry.put("score", score));
    }
    return Json.write(json);
  }

  private static String text(Study study, Spending spending, List<Run> runs) {
    TextTable table = new TextTable("run", "state", "starts", "steps", "lost steps", "score");
    for (Run run : runs) {
      table.row(
          run.what(),
          word(run.record().state()),
          Integer.toString(run.record().starts()),
          Integer.toString(run.record().stepsBegun()),
          Integer.toString(run.record().stepsLost()),
          run.record().score().isPresent() ? Show.percent(run.record().score().getAsDouble()) : "");
    }
    return GuaranteeNote.line(VoidReasons.of(study.plan()))
        + String.format(
            Locale.ROOT,
            "%s-%s: %s, in %s%n%n%s%n",
            study.record().name(),
            study.id(),
            Study.stateOf(study.record()),
            study.record().output(),
            table)
        + spending.inMu().map(StatusCommand::inMu).orElseGet(() -> asPlanned(spending));
  }

  private static String inMu(Balance balance) {
    return String.format(
        Locale.ROOT,
        "spent: mu %s, epsilon %s%nleft:  mu %s, epsilon %s (as one more run)"
            + "%ntotal: mu %s, epsilon %s at delta %s%n",
        Show.cost(balance.spent().mu()),
        Show.cost(balance.epsilonSpent()),
        Show.left(balance.left().mu()),
        Show.left(balance.epsilonLeft()),
        Show.cost(balance.budget().cap().mu()),
        Show.left(balance.budget().epsilon()),
        Show.delta(balance.budget().delta()));
  }

  private static String asPlanned(Spending spending) {
    return String.format(
        Locale.ROOT,
        "spent: epsilon %s, in %d of %d planned charges%ntotal: epsilon %s at delta %s%n",
        Show.cost(spending.epsilonSpent()),
        spending.charges().size(),
        spending.planned(),
        Show.left(spending.budget().epsilon()),
        Show.delta(spending.budget().delta()));
  }

  private static String word(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
