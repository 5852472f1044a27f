package io.mutune.orchestrator.report;

import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Audits for people and for programs. */
public final class AuditDocument {
  private AuditDocument() {}

  public static ObjectNode json(StoreAudit audit) {
    ObjectNode json = Json.document().put("agrees", audit.agrees());
    ArrayNode studies = json.putArray("studies");
    audit.studies().forEach(study -> studies.add(json(study)));
    ArrayNode accounts = json.putArray("accounts");
    audit.accounts().forEach(account -> accounts.add(json(account)));
    audit.adopted().forEach(json.putArray("adopted")::add);
    audit.problems().forEach(json.putArray("problems")::add);
    return json;
  }

  /** What does not agree last, each in a line. */
  public static String text(StoreAudit audit) {
    StringBuilder text = new StringBuilder();
    audit.studies().forEach(study -> text.append(text(study)).append('\n'));
    audit.accounts().forEach(account -> text.append(text(account)).append('\n'));
    audit.adopted().forEach(line -> text.append("Adopted ").append(line).append('\n'));
    appendProblems(text, audit.problems());
    return text.toString();
  }

  private static void appendProblems(StringBuilder text, List<String> problems) {
    problems.forEach(problem -> text.append("DOES NOT AGREE: ").append(problem).append('\n'));
  }

  private static ObjectNode json(StudyAudit audit) {
    ObjectNode json = Json.object();
    json.put("study", audit.study().id()).put("name", audit.study().record().name());
    json.put("state", Study.stateOf(audit.study().record()));
    json.put("agrees", audit.agrees());
    json.setAll(Json.tree(GuaranteeNote.of(VoidReasons.of(audit.study().plan()))));
    Budget budget = audit.spending().budget();
    json.put("epsilon", audit.epsilonSpent().value());
    json.put("delta", budget.delta().value());
    audit.spending().inMu().ifPresent(balance -> json.put("mu", balance.spent().mu().value()));
    ObjectNode recomputed = json.putObject("recomputed").put("epsilon", audit.epsilon());
    audit.mu().ifPresent(mu -> recomputed.put("mu", mu));
    json.putObject("budget")
        .put("epsilon", budget.epsilon().value())
        .put("mu", budget.cap().mu().value());
    json.putObject("ledger")
        .put("entries", audit.ledger().entries())
        .put("head", audit.ledger().head())
        .put("original", audit.ledger().original());
    audit.ledger().covered().ifPresent(entry -> json.withObject("ledger").put("covered", entry));
    ArrayNode charges = json.putArray("charges");
    for (StoredCharge charge : audit.charges()) {
      charges.add(Json.tree(StatementDocument.ChargeEntry.of(charge)));
    }
    audit.problems().forEach(json.putArray("problems")::add);
    audit.warnings().forEach(json.putArray("warnings")::add);
    return json;
  }

  private static String text(StudyAudit audit) {
    TextTable table = new TextTable("entry", "charge", "reserved", "mu");
    for (StoredCharge charge : audit.charges()) {
      table.row(
          Long.toString(charge.sequence()),
          charge.charge().what(),
          charge.reserved().toString(),
          charge.charge().mechanism().mu().map(DisplayNumber::cost).orElse(""));
    }
    List<String> voided = VoidReasons.of(audit.study().plan());
    StringBuilder text = new StringBuilder(GuaranteeNote.line(voided));
    text.append(audit.study().record().name()).append('-').append(audit.study().id());
    text.append(": ").append(Study.stateOf(audit.study().record()));
    text.append("\n\n").append(table).append('\n');
    text.append(totals(audit)).append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append(
          voided.isEmpty()
              ? "Everything agrees: every question has its charge, and the total is kept.\n"
              : "Everything agrees with the plan, which is no guarantee here.\n");
    }
    appendProblems(text, audit.problems());
    audit.warnings().forEach(w -> text.append("Warning: ").append(w).append('\n'));
    return text.toString();
  }

  private static ObjectNode json(AccountAudit audit) {
    ObjectNode json = Json.object().put("account", audit.account().name());
    json.put("agrees", audit.agrees());
    json.putObject("ledger")
        .put("entries", audit.ledger().entries())
        .put("head", audit.ledger().head());
    audit.problems().forEach(json.putArray("problems")::add);
    return json;
  }

  private static String text(AccountAudit audit) {
    AccountStanding standing = AccountStanding.of(audit.account().cap(), audit.entries());
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "account %s: mu %s of %s held by studies, of which mu %.6g was charged%n",
            audit.account().name(),
            DisplayNumber.cost(standing.held().mu()),
            DisplayNumber.left(audit.account().cap().mu()),
            Math.sqrt(audit.charged().doubleValue())));
    text.append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append("Everything agrees: what each study was charged for is held.\n");
    }
    appendProblems(text, audit.problems());
    return text.toString();
  }

  private static String ledger(LedgerFinding ledger) {
    String original =
        ledger.original().equals("1") ? "" : ", chained as made from entry " + ledger.original();
    String covered =
        ledger.covered().filter(entry -> entry == 1).isPresent()
            ? ""
            : ledger
                .covered()
                .map(entry -> ", with runs and releases from entry " + entry)
                .orElse(", without runs and releases");
    return "ledger:          %s entries, head %s%s%s%n"
        .formatted(ledger.entries(), ledger.head(), original, covered);
  }

  private static String totals(StudyAudit audit) {
    Budget budget = audit.spending().budget();
    Optional<Balance> inMu = audit.spending().inMu();
    if (inMu.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "by composition:  epsilon %s at delta %s%nby other routes: epsilon %.6g at least%n"
              + "budget:          epsilon %s%n",
          DisplayNumber.cost(audit.epsilonSpent()),
          DisplayNumber.delta(budget.delta()),
          audit.epsilon(),
          DisplayNumber.left(budget.epsilon()));
    }
    return String.format(
        Locale.ROOT,
        "by composition:  mu %s, epsilon %s at delta %s%nby integration:  mu %.6g, epsilon %.6g%n"
            + "budget:          mu %s, epsilon %s%n",
        DisplayNumber.cost(inMu.get().spent().mu()),
        DisplayNumber.cost(audit.epsilonSpent()),
        DisplayNumber.delta(budget.delta()),
        audit.mu().orElse(0),
        audit.epsilon(),
        DisplayNumber.cost(budget.cap().mu()),
        DisplayNumber.left(budget.epsilon()));
  }
}
