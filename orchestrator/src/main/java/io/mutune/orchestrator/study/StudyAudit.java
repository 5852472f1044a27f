package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.sweep.StudyPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks one study's ledger: the total by a second route, that every question which may have read
 * private rows has its charge, and that the charges are those of the plan.
 *
 * @param charges in the order of the ledger
 * @param balance by the first route
 * @param epsilon by the second route
 * @param mu by the second route
 * @param problems empty if everything agrees; each one sentence
 */
public record StudyAudit(
    Study study,
    List<StoredCharge> charges,
    Balance balance,
    double epsilon,
    double mu,
    List<String> problems) {

  public boolean agrees() {
    return problems.isEmpty();
  }

  /** The same with more problems. */
  public StudyAudit with(List<String> more) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(more);
    return new StudyAudit(study, charges, balance, epsilon, mu, List.copyOf(all));
  }

  /** What a statement says of a study, to be held against its ledger. */
  public record Stated(double epsilon, double mu, int charges) {}

  /**
   * Audits a study.
   *
   * @param stated what its published statement says, if there is one
   */
  public static StudyAudit of(StudyStore store, Study study, Optional<Stated> stated) {
    List<StoredCharge> stored = store.charges(study.id());
    List<Charge> charges = stored.stream().map(StoredCharge::charge).toList();
    Balance balance = Balance.of(study.sweep().budget(), charges);
    Audit.Finding finding =
        Audit.check(study.sweep().budget(), charges, balance.epsilonSpent(), balance.spent().mu());
    List<String> problems = new ArrayList<>(finding.problems());
    problems.addAll(uncovered(store, study, charges));
    problems.addAll(unplanned(study, charges));
    stated.ifPresent(s -> problems.addAll(misstated(s, finding, charges.size())));
    return new StudyAudit(
        study, stored, balance, finding.epsilon(), finding.mu(), List.copyOf(problems));
  }

  /** Runs that may have asked more than was charged for them. */
  private static List<String> uncovered(StudyStore store, Study study, List<Charge> charges) {
    List<String> problems = new ArrayList<>();
    StudyPlan plan = study.plan();
    for (PlannedTrial trial : plan.trials()) {
      TrialRecord record = store.trial(study.id(), trial.number());
      checkSteps(plan.trialCharge(trial).what(), record, charges, problems);
      if (record.state() == TrialState.SCORED) {
        plan.scoreCharge(trial).ifPresent(score -> checkThere(score.what(), charges, problems));
      }
    }
    TrialRecord last = store.trial(study.id(), TrialRecord.FINAL);
    checkSteps(StudyPlan.finalName(), last, charges, problems);
    if (store.study(study.id()).orElseThrow().testAccuracy().isPresent()) {
      plan.testCharge().ifPresent(test -> checkThere(test.what(), charges, problems));
    }
    return problems;
  }

  private static void checkSteps(
      String what, TrialRecord record, List<Charge> charges, List<String> problems) {
    if (record.stepsBegun() == 0) {
      return;
    }
    long charged =
        charges.stream()
            .filter(charge -> charge.what().equals(what))
            .mapToLong(charge -> ((Gaussian) charge.mechanism()).count())
            .sum();
    if (record.stepsBegun() > charged) {
      problems.add(
          what + " began " + record.stepsBegun() + " steps but " + charged + " were charged");
    }
  }

  private static void checkThere(String what, List<Charge> charges, List<String> problems) {
    if (charges.stream().noneMatch(charge -> charge.what().equals(what))) {
      problems.add(what + " was released but never charged");
    }
  }

  /** Charges that the plan does not have, or has otherwise. */
  private static List<String> unplanned(Study study, List<Charge> charges) {
    List<String> problems = new ArrayList<>();
    for (Charge charge : charges) {
      if (!study.plan().foresees(charge)) {
        problems.add("the charge for " + charge.what() + " is not the plan's");
      }
    }
    return problems;
  }

  private static List<String> misstated(Stated stated, Audit.Finding finding, int charges) {
    List<String> problems = new ArrayList<>();
    if (stated.charges() != charges) {
      problems.add("the statement lists " + stated.charges() + " charges, the ledger " + charges);
    }
    if (differ(stated.epsilon(), finding.epsilon()) || differ(stated.mu(), finding.mu())) {
      problems.add(
          "the statement says epsilon "
              + stated.epsilon()
              + " and mu "
              + stated.mu()
              + "; the ledger gives "
              + finding.epsilon()
              + " and "
              + finding.mu());
    }
    return problems;
  }

  /** The second route integrates numerically, good to six digits. */
  private static boolean differ(double stated, double recomputed) {
    return Math.abs(stated - recomputed) > 1e-6 * recomputed + 1e-9;
  }
}
