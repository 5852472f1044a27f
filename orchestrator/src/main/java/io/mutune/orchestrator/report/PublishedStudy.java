package io.mutune.orchestrator.report;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.plan.VoidReasons;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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
        stated = Optional.of(stated(json));
        problems.addAll(misguaranteed(json, study));
        problems.addAll(misdescribed(json, study, stated.get()));
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
      ObjectNode statement, Study study, StatedGuarantee stated) {
    List<String> problems = new ArrayList<>();
    String kind = statement.path("kind").asString("");
    if (!kind.equals(PrivacyStatement.KIND)) {
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

  private static StatedGuarantee stated(ObjectNode json) {
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
    return new StatedGuarantee(
        json.path("epsilon").asDouble(Double.NaN),
        json.path("delta").asDouble(Double.NaN),
        json.has("mu")
            ? OptionalDouble.of(json.path("mu").asDouble(Double.NaN))
            : OptionalDouble.empty(),
        // Statements without this key are older, and all in mu.
        Accountant.ofKey(json.path("accountant").asString(Accountant.GDP.key()))
            .orElseThrow(() -> new IllegalArgumentException("no such accountant")),
        json.path("adjacency").asString(""),
        charges,
        ledger(json));
  }

  /** Statements without this key are older too. */
  private static Optional<LedgerHead> ledger(ObjectNode json) {
    JsonNode ledger = json.path("ledger");
    return ledger.isMissingNode()
        ? Optional.empty()
        : Optional.of(
            new LedgerHead(ledger.path("entries").asLong(-1), ledger.path("head").asString("")));
  }
}
