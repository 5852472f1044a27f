package io.mutune.orchestrator.cli;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.report.GuaranteeNote;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.report.Show;
import io.mutune.orchestrator.report.StatementDocument;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.VoidReasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code mutune audit}. */
@Command(
    name = "audit",
    description =
        "Recompute what studies have cost from their stored charges, by a second route, and compare"
            + " with what they state. Exit status 6 if anything does not agree.")
final class AuditCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description = "id, name-id or folder (default: every study of the store)")
  private @Nullable String study;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    List<StudyAudit> audits = new ArrayList<>();
    List<String> unplannable = new ArrayList<>();
    try (StudyStore store = finder.open(Optional.ofNullable(study))) {
      List<StudyRecord> records =
          study == null ? store.studies() : List.of(StudyFinder.find(store, study));
      for (StudyRecord record : records) {
        try {
          audits.add(audit(store, Study.ofRecord(record)));
        } catch (InvalidSweepException | OverBudgetException e) {
          // One study that this version cannot plan must not keep the others from being audited.
          unplannable.add(
              record.name() + "-" + record.id() + " cannot be planned again: " + e.getMessage());
        }
      }
    }
    boolean agree = unplannable.isEmpty() && audits.stream().allMatch(StudyAudit::agrees);
    if (format.json()) {
      ObjectNode json = Json.document().put("agrees", agree);
      ArrayNode array = json.putArray("studies");
      audits.forEach(audit -> array.add(json(audit)));
      unplannable.forEach(json.putArray("problems")::add);
      Output.of(spec).print(Json.write(json));
    } else {
      audits.forEach(audit -> Output.of(spec).println(text(audit)));
      unplannable.forEach(problem -> Output.of(spec).println("DOES NOT AGREE: " + problem));
    }
    return agree ? ExitCode.DONE : ExitCode.AUDIT_DISAGREES;
  }

  private static StudyAudit audit(StudyStore store, Study study) {
    Path statement = study.record().output().resolve("statement.json");
    Optional<StudyAudit.Stated> stated = Optional.empty();
    List<String> unreadable = new ArrayList<>();
    if (Files.exists(statement)) {
      try {
        ObjectNode json = Json.read(Files.readString(statement));
        stated = Optional.of(stated(json));
        unreadable.addAll(misguaranteed(json, study));
      } catch (IOException | JacksonException | IllegalArgumentException e) {
        unreadable.add(statement + " cannot be read");
      }
    } else if (study.record().state() == StudyState.FINISHED) {
      unreadable.add(statement + " is missing though the study is finished");
    }
    StudyAudit audit = StudyAudit.of(store, study, stated);
    return audit.with(unreadable);
  }

  /** A ledger cannot show that a guarantee is void; the sweep does. */
  private static List<String> misguaranteed(ObjectNode statement, Study study) {
    String says = statement.path("guarantee").asString("");
    PrivacyStatement.Guarantee is =
        VoidReasons.of(study.plan()).isEmpty()
            ? PrivacyStatement.Guarantee.HOLDS
            : PrivacyStatement.Guarantee.VOID;
    return says.equals(is.key())
        ? List.of()
        : List.of("the statement's guarantee is '" + says + "' but by the sweep it is " + is.key());
  }

  private static StudyAudit.Stated stated(ObjectNode json) {
    List<Charge> charges = new ArrayList<>();
    for (JsonNode charge : json.withArray("charges")) {
      Map<String, Number> parameters = new HashMap<>();
      charge
          .path("parameters")
          .properties()
          .forEach(entry -> parameters.put(entry.getKey(), entry.getValue().asDouble()));
      if (charge.has("count")) {
        parameters.put("count", charge.path("count").asLong());
      }
      charges.add(
          new Charge(
              charge.path("what").asString(),
              Mechanism.of(charge.path("mechanism").asString(), parameters)));
    }
    return new StudyAudit.Stated(
        json.path("epsilon").asDouble(Double.NaN),
        json.path("delta").asDouble(Double.NaN),
        json.has("mu")
            ? OptionalDouble.of(json.path("mu").asDouble(Double.NaN))
            : OptionalDouble.empty(),
        // Statements without this key are older, and all in mu.
        Accountant.ofKey(json.path("accountant").asString(Accountant.GDP.key()))
            .orElseThrow(() -> new IllegalArgumentException("no such accountant")),
        json.path("adjacency").asString(""),
        charges);
  }

  private static ObjectNode json(StudyAudit audit) {
    ObjectNode json = Json.object();
    json.put("study", audit.study().id()).put("name", audit.study().record().name());
    json.put("state", Study.stateOf(audit.study().record()));
    json.put("agrees", audit.agrees());
    GuaranteeNote.put(json, VoidReasons.of(audit.study().plan()));
    Budget budget = audit.spending().budget();
    json.put("epsilon", audit.epsilonSpent().value());
    json.put("delta", budget.delta().value());
    audit.spending().inMu().ifPresent(balance -> json.put("mu", balance.spent().mu().value()));
    ObjectNode recomputed = json.putObject("recomputed").put("epsilon", audit.epsilon());
    audit.mu().ifPresent(mu -> recomputed.put("mu", mu));
    json.putObject("budget")
        .put("epsilon", budget.epsilon().value())
        .put("mu", budget.cap().mu().value());
    ArrayNode charges = json.putArray("charges");
    for (StoredCharge charge : audit.charges()) {
      charges.add(
          StatementDocument.charge(charge.charge())
              .put("sequence", charge.sequence())
              .put("reserved", charge.reserved().toString()));
    }
    audit.problems().forEach(json.putArray("problems")::add);
    return json;
  }

  private static String text(StudyAudit audit) {
    TextTable table = new TextTable("entry", "charge", "reserved", "mu");
    for (StoredCharge charge : audit.charges()) {
      table.row(
          Long.toString(charge.sequence()),
          charge.charge().what(),
          charge.reserved().toString(),
          charge.charge().mechanism().mu().map(Show::cost).orElse(""));
    }
    List<String> voided = VoidReasons.of(audit.study().plan());
    StringBuilder text = new StringBuilder(GuaranteeNote.line(voided));
    text.append(audit.study().record().name()).append('-').append(audit.study().id());
    text.append(": ").append(Study.stateOf(audit.study().record()));
    text.append("\n\n").append(table).append('\n');
    text.append(totals(audit));
    if (audit.agrees()) {
      text.append(
          voided.isEmpty()
              ? "Everything agrees: every question has its charge, and the total is kept.\n"
              : "Everything agrees with the plan, which is no guarantee here.\n");
    }
    audit.problems().forEach(p -> text.append("DOES NOT AGREE: ").append(p).append('\n'));
    return text.toString();
  }

  private static String totals(StudyAudit audit) {
    Budget budget = audit.spending().budget();
    Optional<Balance> inMu = audit.spending().inMu();
    if (inMu.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "by composition:  epsilon %s at delta %s%nby other routes: epsilon %.6g at least%n"
              + "budget:          epsilon %s%n",
          Show.cost(audit.epsilonSpent()),
          Show.delta(budget.delta()),
          audit.epsilon(),
          Show.left(budget.epsilon()));
    }
    return String.format(
        Locale.ROOT,
        "by composition:  mu %s, epsilon %s at delta %s%nby integration:  mu %.6g, epsilon %.6g%n"
            + "budget:          mu %s, epsilon %s%n",
        Show.cost(inMu.get().spent().mu()),
        Show.cost(audit.epsilonSpent()),
        Show.delta(budget.delta()),
        audit.mu().orElse(0),
        audit.epsilon(),
        Show.cost(budget.cap().mu()),
        Show.left(budget.epsilon()));
  }
}
