package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.ScoredTrial;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Lockstep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Runs a study from wherever it stands to its end: trials, scores, decision, final run, test. Every
 * charge is durable before its rows are read; every released value is durable before the next
 * question.
 */
public final class StudyRunner {
  private final StudyStore store;
  private final Study study;
  private final StudyListener listener;
  private final RunExecutor runs;

  public StudyRunner(StudyStore store, Study study, RunEnvironment environment) {
    this.store = store;
    this.study = study;
    this.listener = environment.listener();
    this.runs = new RunExecutor(store, study, environment);
  }

  /**
   * Runs to the end.
   *
   * @throws StudyInterruptedException if it was cancelled; it can be resumed
   * @throws SearchFailedException if the trials leave nothing to decide from; the study has failed
   * @throws IOException if data cannot be read; it can be resumed
   */
  public StudyResult run() throws IOException {
    long start = System.nanoTime();
    StudyResult result;
    try {
      result = run(start);
    } catch (SearchFailedException e) {
      store.move(study.id(), StudyState.FAILED);
      throw e;
    } catch (IOException | RuntimeException e) {
      addSeconds(start, e);
      throw e;
    }
    store.addSeconds(study.id(), secondsSince(start));
    return result;
  }

  private StudyResult run(long start) throws IOException {
    runs.prepare();
    runTrials();
    Decision decision = decide();
    Optional<Charge> finalCharge =
        study.plan().chargesFinal()
            ? Optional.of(study.plan().finalCharge(decision.point()))
            : Optional.empty();
    LinearModel model =
        finalCharge.isPresent()
            ? train(
                TrialRecord.FINAL,
                decision.point(),
                finalCharge.get(),
                study.plan().finalNoise(decision.point()),
                runs.engine())
            : runs.trainOpenly();
    OptionalDouble accuracy = runs.test(model);
    if (finalCharge.isPresent()) {
      runs.writeRowCosts(charges(), reserved(finalCharge.get()));
    }
    return result(decision, finalCharge, model, accuracy, secondsSince(start));
  }

  /** On the way out of a failure, which stays the news even if the store fails too. */
  private void addSeconds(long start, Exception failure) {
    try {
      store.addSeconds(study.id(), secondsSince(start));
    } catch (StoreException e) {
      failure.addSuppressed(e);
    }
  }

  private void runTrials() throws IOException {
    List<PlannedTrial> open = new ArrayList<>();
    for (PlannedTrial trial : study.plan().trials()) {
      TrialState state = store.trial(study.id(), trial.number()).state();
      if (state != TrialState.SCORED && state != TrialState.UNSCORED) {
        open.add(trial);
      }
    }
    int together = study.sweep().parallelTrials();
    for (int from = 0; from < open.size(); from += together) {
      List<PlannedTrial> cohort = open.subList(from, Math.min(open.size(), from + together));
      new Cohort(this::runTrial, runs::stop).run(cohort, runs.lockstep(cohort.size()));
    }
  }

  private void runTrial(PlannedTrial trial, Lockstep.Member engine) throws IOException {
    LinearModel model;
    try (engine) {
      model =
          train(
              trial.number(),
              trial.point(),
              study.plan().trialCharge(trial),
              study.plan().trialNoise(trial),
              engine);
    }
    runs.score(trial, model);
  }

  /** The method first: what is public and wrong with it must not cost a charge. */
  private LinearModel train(
      int number, TrialPoint point, Charge charge, NoiseMultiplier sigma, ClippedSums engine)
      throws IOException {
    runs.refuseIfStopped();
    TrainingMethod method = runs.method(point, sigma, charge);
    return runs.train(number, method, reserved(charge), engine);
  }

  private Decision decide() {
    List<ScoredTrial> scored = new ArrayList<>();
    for (PlannedTrial trial : study.plan().trials()) {
      scored.add(new ScoredTrial(trial, store.trial(study.id(), trial.number()).score()));
    }
    Decision decision =
        study.sweep().search().decide(scored, study.plan().target(), study.sweep().runScale());
    decision
        .guards()
        .forEach(guard -> listener.note("guard " + guard.name() + ": " + guard.action()));
    return decision;
  }

  /** Puts a charge on the ledger, or finds it there from an earlier start. */
  private StoredCharge reserved(Charge charge) {
    StoredCharge stored =
        store
            .charge(study.id(), charge.what())
            .orElseGet(() -> store.reserve(study.id(), study.plan().filter(), charge));
    if (!stored.charge().equals(charge)) {
      throw new StoreException(
          "study "
              + study.id()
              + ": its ledger has another charge for "
              + charge.what()
              + "; it was begun by a version that plans differently, and can only end there");
    }
    listener.charged(charge.what(), new Spending(study.plan(), charges()));
    return stored;
  }

  private List<Charge> charges() {
    return store.charges(study.id()).stream().map(StoredCharge::charge).toList();
  }

  private StudyResult result(
      Decision decision,
      Optional<Charge> finalCharge,
      LinearModel model,
      OptionalDouble accuracy,
      double seconds) {
    List<TrialOutcome> outcomes = new ArrayList<>();
    for (PlannedTrial trial : study.plan().trials()) {
      TrialRecord stored = store.trial(study.id(), trial.number());
      outcomes.add(
          new TrialOutcome(
              trial,
              study.plan().trialCharge(trial),
              stored.state(),
              stored.stepsLost(),
              stored.score()));
    }
    return new StudyResult(
        study,
        outcomes,
        decision,
        finalCharge,
        store.trial(study.id(), TrialRecord.FINAL).stepsLost(),
        model,
        accuracy,
        Statements.of(study.sweep(), charges()),
        study.record().seconds() + seconds,
        runs.features());
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
