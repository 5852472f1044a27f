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
import io.mutune.orchestrator.report.PlanDocument;
import io.mutune.orchestrator.report.Show;
import io.mutune.orchestrator.report.StatementDocument;
import io.mutune.orchestrator.report.TextTable;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.AccountAudit;
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
    List<AccountAudit> accounts = new ArrayList<>();
    List<String> unplannable = new ArrayList<>();
    try (StudyStore store = finder.open(Optional.ofNullable(study))) {
      List<StudyRecord> records =
          study == null ? store.studies() : List.of(StudyFinder.find(store, study));
      for (StudyRecord record : records) {
        audit(store, record, audits, unplannable);
      }
      for (AccountRecord account : study == null ? store.accounts() : List.<AccountRecord>of()) {
        accounts.add(AccountAudit.of(store, account));
      }
    } catch (StoreException e) {
      if (!e.isDamage()) {
        throw e;
      }
      unplannable.add(e.getMessage());
    }
    boolean agree =
        unplannable.isEmpty()
            && audits.stream().allMatch(StudyAudit::agrees)
            && accounts.stream().allMatch(AccountAudit::agrees);
    if (format.json()) {
      ObjectNode json = Json.document().put("agrees", agree);
      ArrayNode array = json.putArray("studies");
      audits.forEach(audit -> array.add(json(audit)));
      ArrayNode accountArray = json.putArray("accounts");
      accounts.forEach(account -> accountArray.add(json(account)));
      unplannable.forEach(json.putArray("problems")::add);
      Output.of(spec).print(Json.write(json));
    } else {
      audits.forEach(audit -> Output.of(spec).println(text(audit)));
      accounts.forEach(account -> Output.of(spec).println(text(account)));
      unplannable.forEach(problem -> Output.of(spec).println("DOES NOT AGREE: " + problem));
    }
    return agree ? ExitCode.DONE : ExitCode.AUDIT_DISAGREES;
  }

  /** One study that cannot be audited must not keep the others from it. */
  private static void audit(
      StudyStore store, StudyRecord record, List<StudyAudit> audits, List<String> unplannable) {
    String name = record.name() + "-" + record.id();
    try {
      audits.add(audit(store, Study.ofRecord(record)));
    } catch (InvalidSweepException | OverBudgetException e) {
      unplannable.add(name + " cannot be planned again: " + e.getMessage());
      store.ledger(record.id()).problem().map(p -> name + ": " + p).ifPresent(unplannable::add);
    } catch (StoreException e) {
      if (!e.isDamage()) {
        throw e;
      }
      unplannable.add(name + ": " + store.ledger(record.id()).problem().orElseGet(e::getMessage));
    }
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
        unreadable.addAll(misdescribed(json, study, stated.get()));
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

  /** What stands in a statement beside its totals, each figure as the ledger or the plan has it. */
  private static List<String> misdescribed(
      ObjectNode statement, Study study, StudyAudit.Stated stated) {
    List<String> problems = new ArrayList<>();
    String kind = statement.path("kind").asString("");
    if (!kind.equals(PrivacyStatement.Kind.FIXED_PLAN.key())) {
      problems.add("the statement's kind is '" + kind + "' but every plan is fixed beforehand");
    }
    if (!sameNumbers(statement.path("budget"), PlanDocument.budget(study.plan().budget()))) {
      problems.add("the statement's budget is not the plan's");
    }
    ArrayNode charges = statement.withArray("charges");
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = stated.charges().get(i);
      if (!sameNumbers(charges.get(i), StatementDocument.charge(charge))) {
        problems.add("the statement's charge for " + charge.what() + " does not add up in itself");
      }
    }
    return problems;
  }

  /** Whether two documents say the same, however their numbers are written. */
  private static boolean sameNumbers(JsonNode one, JsonNode other) {
    return one.equals(
        (a, b) ->
            a.isNumber() && b.isNumber() && a.doubleValue() == b.doubleValue()
                ? 0
                : a.equals(b) ? 0 : 1,
        other);
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
    json.putObject("ledger")
        .put("entries", audit.ledger().entries())
        .put("head", audit.ledger().head())
        .put("original", audit.ledger().original());
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
    text.append(totals(audit)).append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append(
          voided.isEmpty()
              ? "Everything agrees: every question has its charge, and the total is kept.\n"
              : "Everything agrees with the plan, which is no guarantee here.\n");
    }
    audit.problems().forEach(p -> text.append("DOES NOT AGREE: ").append(p).append('\n'));
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
            Show.cost(standing.held().mu()),
            Show.left(audit.account().cap().mu()),
            Math.sqrt(audit.charged().doubleValue())));
    text.append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append("Everything agrees: what each study was charged for is held.\n");
    }
    audit.problems().forEach(p -> text.append("DOES NOT AGREE: ").append(p).append('\n'));
    return text.toString();
  }

  private static String ledger(LedgerFinding ledger) {
    String original =
        ledger.original().equals("1") ? "" : ", chained as made from entry " + ledger.original();
    return "ledger:          %s entries, head %s%s%n"
        .formatted(ledger.entries(), ledger.head(), original);
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
