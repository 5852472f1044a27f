package io.mutune.orchestrator.report;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.report.PlanDocument.BudgetEntry;
import io.mutune.orchestrator.report.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.StatedGuarantee;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a study has left in its folder, held against its ledger and its plan. */
final class PublishedStudy {
  private PublishedStudy() {}

  /** Audits a study with what it has published. */
  static StudyAudit audit(StudyStore store, Study study) {
    Path folder = study.record().output();
    Path statement = folder.resolve("statement.json");
    Optional<StatedGuarantee> stated = Optional.empty();
    Optional<LinearModel> model = Optional.empty();
    List<String> problems = new ArrayList<>();
    if (Files.exists(statement)) {
      try {
        ObjectNode json = Json.read(Files.readString(statement));
        StatementDocument document = read(json);
        stated = Optional.of(stated(document));
        problems.addAll(misguaranteed(document, study));
        problems.addAll(misdescribed(document, json, study));
      } catch (IOException | JacksonException | IllegalArgumentException e) {
        problems.add(statement + " cannot be read");
      }
      try {
        model = Optional.of(ModelDocument.read(folder).model());
      } catch (IOException e) {
        problems.add("the model cannot be read: " + e.getMessage());
      }
    } else if (study.record().state() == StudyState.FINISHED) {
      problems.add(statement + " is missing though the study is finished");
    }
    return StudyAudit.of(store, study, stated, model).with(problems);
  }

  /** A ledger cannot show that a guarantee is void; the sweep does. */
  private static List<String> misguaranteed(StatementDocument statement, Study study) {
    String says = statement.guarantee();
    PrivacyStatement.Guarantee is =
        VoidReasons.of(study.plan()).isEmpty()
            ? PrivacyStatement.Guarantee.HOLDS
            : PrivacyStatement.Guarantee.VOID;
    return says.equals(is.key())
        ? List.of()
        : List.of("the statement's guarantee is '" + says + "' but by the sweep it is " + is.key());
  }

  /** Older statements do not say by which accountant: all of them are in mu. */
  private static StatementDocument read(ObjectNode json) {
    if (!json.has("accountant")) {
      json.put("accountant", Accountant.GDP.key());
    }
    return Json.read(json, StatementDocument.class);
  }

  /**
   * What stands in a statement beside its totals, each figure as the ledger or the plan has it.
   *
   * @param json the statement as it is written: a key that no record has is a difference too
   */
  private static List<String> misdescribed(
      StatementDocument statement, ObjectNode json, Study study) {
    List<String> problems = new ArrayList<>();
    if (!statement.kind().equals(PrivacyStatement.KIND)) {
      problems.add(
          "the statement's kind is '" + statement.kind() + "' but every plan is fixed beforehand");
    }
    BudgetEntry budget = BudgetEntry.of(study.plan().budget());
    if (!sameNumbers(json.path("budget"), Json.tree(budget))) {
      problems.add("the statement's budget is not the plan's");
    }
    for (int i = 0; i < statement.charges().size(); i++) {
      Charge charge = statement.charges().get(i).charge();
      if (!sameNumbers(json.path("charges").get(i), Json.tree(ChargeEntry.of(charge)))) {
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

  private static StatedGuarantee stated(StatementDocument statement) {
    return new StatedGuarantee(
        statement.epsilon(),
        statement.delta(),
        statement.mu(),
        Accountant.ofKey(statement.accountant())
            .orElseThrow(() -> new IllegalArgumentException("no such accountant")),
        statement.adjacency(),
        statement.charges().stream().map(ChargeEntry::charge).toList(),
        statement.ledger().map(ledger -> new LedgerHead(ledger.entries(), ledger.head())));
  }
}
