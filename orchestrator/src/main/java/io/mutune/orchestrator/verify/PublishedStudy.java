package io.mutune.orchestrator.verify;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ModelDocument;
import io.mutune.orchestrator.document.ModelsDocument;
import io.mutune.orchestrator.document.PlanDocument.BudgetEntry;
import io.mutune.orchestrator.document.ProfileDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.plan.ModelCost;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.StatedGuarantee;
import io.mutune.orchestrator.study.Statements;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a study has left in its folder, held against its ledger and its plan. */
final class PublishedStudy {
  private static final String OVERSTATED =
      "the statement's profile promises more than the charges have";

  private static final String VERSION = "version";

  private PublishedStudy() {}

  /** The id of the study that left a folder: by its result, or by its name where there is none. */
  static String id(Path folder) {
    try {
      String id = ModelCard.document(folder, ResultDocument.FILE).path("study").asString("");
      if (!id.isEmpty()) {
        return id;
      }
    } catch (IOException e) {
      // The name is all that is left.
    }
    return String.valueOf(folder.getFileName()).replaceFirst(".*-", "");
  }

  /** Audits a study with what it has published. */
  static StudyAudit audit(StudyStore store, Study study) {
    return audit(store, study, study.record().output());
  }

  /** The same of a copy of its folder. */
  static StudyAudit audit(StudyStore store, Study study, Path folder) {
    Path statement = folder.resolve(StatementDocument.FILE);
    Optional<StatedGuarantee> stated = Optional.empty();
    Map<String, TrainedModel> models = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    if (Files.isReadable(statement)) {
      try {
        ObjectNode json = Json.read(Files.readString(statement));
        StatementDocument document = StatementDocument.read(json);
        stated = Optional.of(stated(document));
        problems.addAll(misguaranteed(document, study));
        problems.addAll(misdescribed(document, json, study));
        problems.addAll(overstated(document, study));
        problems.addAll(misstatedModels(document, study));
      } catch (IOException | JacksonException | IllegalArgumentException e) {
        problems.add(statement + ": is no document of a study");
      }
      try {
        models.put(Question.FINAL.name(), ModelDocument.model(folder));
        for (PlannedRelease release : study.plan().releases()) {
          Path own = folder.resolve(release.folder());
          models.put(release.name(), ModelDocument.model(own));
        }
      } catch (IOException e) {
        problems.add("the model cannot be read: " + e.getMessage());
      }
    } else if (!Files.notExists(statement)) {
      problems.add(statement + " may not be read by this user, so it was not compared");
    } else if (study.record().state() == StudyState.FINISHED) {
      String missing = statement + " is missing though the study is finished";
      // The worker that ended it may have another folder of studies, on another machine.
      if (store.isShared() && !Files.exists(folder)) {
        warnings.add(missing + ": it was not compared, if another worker's folder has it");
      } else {
        problems.add(missing);
      }
    }
    return StudyAudit.of(store, study, stated, models).with(problems, warnings);
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

  /**
   * Computes a statement's figures again from its own charges: all that they can be held against
   * where there is no ledger.
   *
   * @throws JacksonException if it is no statement
   * @throws IllegalArgumentException if it has a charge that is none
   */
  static List<String> alone(ObjectNode json) {
    StatementDocument document = StatementDocument.read(json);
    Budget budget =
        new Budget(
            Epsilon.of(document.budget().epsilon()),
            Delta.of(document.budget().delta()),
            Adjacency.ofKey(document.adjacency())
                .orElseThrow(() -> new IllegalArgumentException("no such adjacency")));
    List<Charge> charges = document.charges().stream().map(ChargeEntry::charge).toList();
    List<String> problems = new ArrayList<>();
    if (document.delta() != document.budget().delta()) {
      problems.add("the statement's delta is not its budget's");
    }
    problems.addAll(stated(document).totalProblems(budget, charges, document.mu().isPresent()));
    if (!SweepDocuments.isAlike(json.path("budget"), Json.tree(BudgetEntry.of(budget)))) {
      problems.add("the statement's budget does not add up in itself");
    }
    problems.addAll(misdescribed(document, json, SweepDocuments::isAlike));
    problems.addAll(overstated(document, budget, charges));
    problems.addAll(misstatedModels(document, budget));
    return problems;
  }

  /** Another delta of which more is said than holds at the stated mu, or for the charges. */
  private static List<String> overstated(
      StatementDocument statement, Budget budget, List<Charge> charges) {
    return statement
        .profile()
        .filter(profile -> !profile.isCoveredBy(least(statement, profile, budget, charges)))
        .map(profile -> List.of(OVERSTATED))
        .orElse(List.of());
  }

  private static ProfileDocument least(
      StatementDocument statement, ProfileDocument profile, Budget budget, List<Charge> charges) {
    List<Delta> deltas = profile.epsilons().stream().map(at -> Delta.of(at.delta())).toList();
    PrivacyProfile least =
        statement.mu().isPresent()
            ? PrivacyProfile.of(
                ApproximateGaussianDp.of(GaussianDp.of(Mu.of(statement.mu().getAsDouble()))),
                deltas)
            : PrivacyProfile.of(PlanTotal.releases(budget, charges), deltas);
    Epsilon epsilon = Epsilon.of(statement.epsilon());
    return ProfileDocument.of(
        least.with(new PrivacyProfile.At(Delta.of(statement.delta()), Optional.of(epsilon))));
  }

  /** What stands in a statement beside its totals, each figure as the ledger or the plan has it. */
  private static List<String> misdescribed(
      StatementDocument statement, ObjectNode json, Study study) {
    List<String> problems = new ArrayList<>();
    BudgetEntry budget = BudgetEntry.of(study.plan().budget());
    if (!sameNumbers(json.path("budget"), Json.tree(budget))) {
      problems.add("the statement's budget is not the plan's");
    }
    problems.addAll(misdescribed(statement, json, PublishedStudy::sameNumbers));
    return problems;
  }

  /**
   * What it says of itself and of each charge, which follows from no more than that charge, and
   * that it says no more than any version does.
   *
   * @param json the statement as it is written: a key that no record has is a difference too
   * @param same whether a document says the same as another
   */
  private static List<String> misdescribed(
      StatementDocument statement, ObjectNode json, BiPredicate<JsonNode, JsonNode> same) {
    List<String> problems = new ArrayList<>();
    if (!json.path(VERSION).equals(Json.document().path(VERSION))) {
      problems.add("the statement's version is not " + Json.VERSION);
    }
    if (!statement.kind().equals(PrivacyStatement.KIND)) {
      problems.add(
          "the statement's kind is '" + statement.kind() + "' but every plan is fixed beforehand");
    }
    ObjectNode read = Json.tree(statement);
    json.propertyNames().stream()
        .filter(key -> !key.equals(VERSION) && !sameNumbers(json.path(key), read.path(key)))
        .map(key -> "the statement's '" + key + "' says what no statement does")
        .forEach(problems::add);
    for (int i = 0; i < statement.charges().size(); i++) {
      Charge charge = statement.charges().get(i).charge();
      if (!same.test(json.path("charges").path(i), Json.tree(ChargeEntry.of(charge)))) {
        problems.add("the statement's charge for " + charge.what() + " does not add up in itself");
      }
    }
    return problems;
  }

  /** What each model is said to cost with the tuning, by the charges for it and a second route. */
  private static List<String> misstatedModels(StatementDocument statement, Study study) {
    List<ModelsDocument.Cost> costs =
        statement.models().map(ModelsDocument::costs).orElse(List.of());
    List<String> planned = ModelCost.of(study.plan()).stream().map(ModelCost::model).toList();
    if (!costs.stream().map(ModelsDocument.Cost::model).toList().equals(planned)) {
      return List.of("the statement's models are not the plan's");
    }
    return misstatedModels(statement, study.plan().budget());
  }

  private static List<String> misstatedModels(StatementDocument statement, Budget budget) {
    List<Charge> charges = statement.charges().stream().map(ChargeEntry::charge).toList();
    List<String> problems = new ArrayList<>();
    List<ModelsDocument.Cost> costs =
        statement.models().map(ModelsDocument::costs).orElse(List.of());
    for (ModelsDocument.Cost cost : costs) {
      Audit.check(
              budget,
              ModelCost.charges(cost.model(), charges),
              Epsilon.of(cost.epsilon()),
              Mu.of(cost.mu()))
          .problems()
          .forEach(problem -> problems.add(cost.model() + " and the tuning: " + problem));
    }
    return problems;
  }

  /** Another delta of which more is said than holds for the charges that are stated. */
  private static List<String> overstated(StatementDocument statement, Study study) {
    if (statement.profile().isEmpty()) {
      return List.of();
    }
    List<Charge> charges = statement.charges().stream().map(ChargeEntry::charge).toList();
    ProfileDocument least;
    try {
      least = ProfileDocument.of(Statements.profile(study.plan(), Statements.of(study, charges)));
    } catch (IllegalArgumentException | OverBudgetException e) {
      return List.of(); // The totals do not hold either, which is said.
    }
    return statement.profile().get().isCoveredBy(least) ? List.of() : List.of(OVERSTATED);
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
