package io.mutune.orchestrator.study;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.MixtureAudit;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.model.TrainedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Checks one study's ledger: that its entries are what was written, the total by a second route,
 * that every question which may have read private rows has its charge, and that the charges are
 * those of the plan.
 *
 * @param state in a word
 * @param ledger what its chain of hashes says
 * @param charges in the order of the ledger
 * @param spending by the first route
 * @param epsilonSpent by it, at the budget's δ
 * @param epsilon by the second route, or the largest lower end of all routes where a charge has no
 *     μ
 * @param mu by the second route, where every charge has one
 * @param problems empty if everything agrees; each one sentence
 * @param warnings what is no fault of the ledger, such as a version that plans otherwise
 */
public record StudyAudit(
    Study study,
    String state,
    LedgerFinding ledger,
    List<StoredCharge> charges,
    Spending spending,
    Epsilon epsilonSpent,
    double epsilon,
    OptionalDouble mu,
    List<String> problems,
    List<String> warnings) {

  /** How far below its share calibration may leave the final charge, relatively. */
  private static final double TOLERANCE = 1e-9;

  public boolean agrees() {
    return problems.isEmpty();
  }

  /** A copy with further ones. */
  public StudyAudit with(List<String> moreProblems, List<String> moreWarnings) {
    return new StudyAudit(
        study,
        state,
        ledger,
        charges,
        spending,
        epsilonSpent,
        epsilon,
        mu,
        Stream.of(problems, moreProblems).flatMap(List::stream).toList(),
        Stream.of(warnings, moreWarnings).flatMap(List::stream).toList());
  }

  /**
   * Audits a study by itself.
   *
   * @param stated what its published statement says, if there is one
   */
  public static StudyAudit of(StudyStore store, Study study, Optional<StatedGuarantee> stated) {
    return of(store, study, stated, Map.of());
  }

  /**
   * Audits a study.
   *
   * @param stated what its published statement says, if there is one
   * @param models that it has published, by their names on the ledger
   */
  public static StudyAudit of(
      StudyStore store,
      Study study,
      Optional<StatedGuarantee> stated,
      Map<String, TrainedModel> models) {
    // Runs before charges: a study that runs meanwhile charges first, so that what its runs have
    // asked by now has its charge by then.
    List<RunRecord> runs = runs(store, study);
    boolean tuned =
        study.plan().tunesInSecret()
            && store.trial(study.id(), StudyPlan.TUNING).state() != RunState.PLANNED;
    List<String> asked = asked(store, study);
    LedgerFinding ledger = store.ledger(study.id());
    List<StoredCharge> stored = store.charges(study.id());
    List<Charge> charges = stored.stream().map(StoredCharge::charge).toList();
    Spending spending = new Spending(study.plan(), charges);
    Epsilon spent = spending.epsilonSpent();
    Totals totals = Totals.of(spending, spent);
    List<String> problems = new ArrayList<>(ledger.problem().stream().toList());
    problems.addAll(totals.problems());
    problems.addAll(uncovered(study.plan(), runs, charges));
    if (tuned) {
      checkThere(study.plan().secretRuns().orElseThrow().charge().what(), charges, problems);
    }
    asked.forEach(what -> checkThere(what, charges, problems));
    problems.addAll(unplanned(study.plan(), charges));
    problems.addAll(unheld(store, study));
    problems.addAll(readOtherwise(store, study));
    problems.addAll(RoundingAudit.problems(study.sweep(), charges));
    stated.ifPresent(
        s -> {
          problems.addAll(s.problems(spending));
          problems.addAll(rewritten(store, study.id(), s));
        });
    List<StudyNote> notes = store.notes(study.id());
    models.forEach((name, model) -> problems.addAll(replaced(name, model, notes)));
    return new StudyAudit(
        study,
        Study.stateOf(store, study.record()),
        ledger,
        stored,
        spending,
        spent,
        totals.epsilon(),
        totals.mu(),
        List.copyOf(problems),
        replanned(study.plan(), notes));
  }

  /** What a ledger that was rewritten later cannot have: the head that was published. */
  private static List<String> rewritten(StudyStore store, String study, StatedGuarantee stated) {
    if (stated.ledger().isEmpty()) {
      return List.of(); // An older statement.
    }
    LedgerHead head = stated.ledger().get();
    boolean there = store.ledgerHash(study, head.entries()).filter(head.hash()::equals).isPresent();
    return there
        ? List.of()
        : List.of(
            "the statement was made from a ledger whose entry %d has another hash: the ledger was"
                    .formatted(head.entries())
                + " rewritten or put back since, or the statement is not this study's");
  }

  private static List<String> replaced(String name, TrainedModel model, List<StudyNote> notes) {
    List<StudyNote> results =
        notes.stream().filter(note -> note.kind() == StudyNote.Kind.RESULT).toList();
    return results.isEmpty()
            || results.stream().anyMatch(note -> ResultNote.isAbout(note, name, model))
        ? List.of()
        : List.of(
            (name.equals(Question.FINAL.name()) ? "the model" : "the model of " + name)
                + " is not the one whose digest is in the ledger");
  }

  /** How the plan differs from the one that was kept, if one was. */
  private static List<String> replanned(StudyPlan plan, List<StudyNote> notes) {
    return notes.stream()
        .filter(note -> note.kind() == StudyNote.Kind.PLAN)
        .findFirst()
        .map(kept -> PlanNote.differences(kept, plan))
        .orElse(List.of());
  }

  /** Totals by the second route, and how they compare. */
  private record Totals(double epsilon, OptionalDouble mu, List<String> problems) {
    static Totals of(Spending spending, Epsilon spent) {
      Budget budget = spending.budget();
      List<Charge> charges = spending.charges();
      Optional<Balance> balance = spending.inMu();
      if (balance.isPresent()) {
        Audit.Finding finding = Audit.check(budget, charges, spent, balance.get().spent().mu());
        return new Totals(finding.epsilon(), OptionalDouble.of(finding.mu()), finding.problems());
      }
      MixtureAudit.Finding finding =
          MixtureAudit.check(budget, charges, spent, CombinedGuarantee.GUARANTEE);
      return new Totals(finding.lower(), OptionalDouble.empty(), finding.problems());
    }
  }

  /** The final run, then the trials in the plan's order, then the releases. */
  private static List<RunRecord> runs(StudyStore store, Study study) {
    List<RunRecord> runs = new ArrayList<>();
    runs.add(store.trial(study.id(), RunRecord.FINAL));
    for (PlannedTrial trial : study.plan().trials()) {
      runs.add(store.trial(study.id(), trial.number()));
    }
    for (PlannedRelease release : study.plan().releases()) {
      runs.add(store.trial(study.id(), release.run()));
    }
    return runs;
  }

  /** What was begun to be released beside models: the names of the charges for it. */
  private static List<String> asked(StudyStore store, Study study) {
    StudyPlan plan = study.plan();
    List<Charge> vectors = new ArrayList<>(plan.testCharges());
    plan.meanCharge().ifPresent(vectors::add);
    plan.trials().forEach(trial -> plan.scoreCharge(trial).ifPresent(vectors::add));
    List<String> asked = new ArrayList<>();
    for (Charge vector : vectors) {
      if (store.release(study.id(), vector.what()).isPresent()) {
        asked.add(vector.what());
      }
    }
    OptionalDouble accuracy =
        store
            .study(study.id())
            .orElseThrow(() -> StoreException.damaged("no study " + study.id()))
            .testAccuracy();
    if (accuracy.isPresent() && !plan.testCharges().isEmpty()) {
      asked.add(plan.testCharges().get(0).what());
    }
    return asked;
  }

  /** Runs that may have asked more than was charged for them. */
  private static List<String> uncovered(
      StudyPlan plan, List<RunRecord> runs, List<Charge> charges) {
    List<String> problems = new ArrayList<>();
    boolean asOne = plan.sweep().train().method().chargedAsOne() || plan.keepsSecretBest();
    checkSteps(Question.FINAL.name(), runs.get(0), asOne, charges, problems);
    for (PlannedTrial trial : plan.trials()) {
      RunRecord run = runs.get(trial.number());
      checkSteps(plan.trialCharge(trial).what(), run, asOne, charges, problems);
      if (run.score().isPresent() || run.state() == RunState.SCORED) {
        plan.scoreCharge(trial).ifPresent(score -> checkThere(score.what(), charges, problems));
      }
    }
    for (PlannedRelease release : plan.releases()) {
      checkSteps(release.name(), runs.get(release.run()), asOne, charges, problems);
    }
    return problems;
  }

  /**
   * @param asOne whether the charge is one for all steps, however many there are
   */
  private static void checkSteps(
      String what, RunRecord run, boolean asOne, List<Charge> charges, List<String> problems) {
    if (run.state() == RunState.PLANNED && run.stepsBegun() == 0) {
      return;
    }
    checkThere(what, charges, problems);
    long charged =
        charges.stream()
            .filter(charge -> charge.what().equals(what))
            .mapToLong(StudyAudit::releases)
            .sum();
    if (run.stepsBegun() > charged && !asOne) {
      problems.add(what + " began " + run.stepsBegun() + " steps but " + charged + " were charged");
    }
  }

  private static long releases(Charge charge) {
    Number count = charge.mechanism().parameters().get("count");
    return count == null ? 0 : count.longValue();
  }

  private static void checkThere(String what, List<Charge> charges, List<String> problems) {
    if (charges.stream().noneMatch(charge -> charge.what().equals(what))) {
      problems.add(what + " may have read private rows but has no charge in the ledger");
    }
  }

  /** What the account that its sweep names has lost of it. */
  private static List<String> unheld(StudyStore store, Study study) {
    StudyState state = store.study(study.id()).map(StudyRecord::state).orElse(StudyState.REFUSED);
    if (study.sweep().account().isEmpty() || state == StudyState.REFUSED) {
      return List.of();
    }
    String account = study.sweep().account().get();
    List<AccountEntry.Kind> kinds =
        store.accountEntries(account).stream()
            .filter(entry -> entry.study().equals(study.id()))
            .map(AccountEntry::kind)
            .toList();
    List<String> problems = new ArrayList<>();
    for (AccountEntry.Kind kind : List.of(AccountEntry.Kind.RESERVED, AccountEntry.Kind.SETTLED)) {
      if ((kind == AccountEntry.Kind.RESERVED || state.isFinal()) && !kinds.contains(kind)) {
        problems.add("its %s entry in the account %s is missing".formatted(kind, account));
      }
    }
    return problems;
  }

  /** Whether its rows were read as their owner's card says: a plan follows from that card too. */
  private static List<String> readOtherwise(StudyStore store, Study study) {
    return study.sweep().card().stream()
        .filter(card -> !store.card(card.name(), card.version()).map(card::isOf).orElse(false))
        .map(
            card ->
                "its card of the data set %s, version %d, is not the one that is registered"
                    .formatted(card.name(), card.version()))
        .toList();
  }

  /** Charges that the plan does not have, or has otherwise. */
  private static List<String> unplanned(StudyPlan plan, List<Charge> charges) {
    List<String> problems = new ArrayList<>();
    for (Charge charge : charges) {
      if (!plan.foresees(charge) || isCheaper(plan, charge)) {
        problems.add("the charge for " + charge.what() + " is not the plan's");
      }
    }
    return problems;
  }

  /** A plan gives the final run all that is left: a charge below it is of another noise. */
  private static boolean isCheaper(StudyPlan plan, Charge charge) {
    Optional<Mu> planned =
        plan.isInMu() && plan.hasFinal() && charge.what().equals(Question.FINAL.name())
            ? Optional.of(plan.target().mu())
            : plan.releases().stream()
                .filter(release -> release.name().equals(charge.what()))
                .map(PlannedRelease::mu)
                .findFirst();
    return planned.isPresent()
        && charge.mechanism().mu().stream()
            .anyMatch(mu -> mu.value() < planned.get().value() * (1 - TOLERANCE));
  }
}
