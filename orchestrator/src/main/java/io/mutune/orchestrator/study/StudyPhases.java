package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.ScoreDeviation;
import io.mutune.orchestrator.plan.SecretRuns;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.ReleasedTrials;
import io.mutune.orchestrator.search.ScoredTrial;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Lockstep;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.apache.commons.io.function.IOSupplier;

/**
 * The phases of one study, each from wherever it stands: trials, decision, final run, result. What
 * runs beside what is decided elsewhere. Every charge is durable before its rows are read; every
 * released value is durable before the next question.
 */
final class StudyPhases {
  private final StudyStore store;
  private final Study study;
  private final StudyListener listener;
  private final StudyParts parts;
  private final RunChoices choices;
  private final Optional<Cluster> cluster;

  StudyPhases(
      StudyStore store, Study study, RunEnvironment environment, IOSupplier<StudyData> opening) {
    this.store = store;
    this.study = study;
    this.listener = environment.listener();
    this.cluster = environment.cluster();
    this.choices = new RunChoices(store, study);
    this.parts = StudyParts.of(store, study, environment, opening);
  }

  /** Whether nothing may tell how long the runs took, and with it how many there were. */
  boolean isSecret() {
    return study.sweep().search().isSecret();
  }

  /** Makes every run stop within a step, and none start. */
  void stop() {
    parts.cancellation().cancel();
  }

  /** The engine for a run that shares its passes over the rows with no other. */
  ClippedSums engine() {
    return parts.sums();
  }

  /** What lets so many trials share their passes over the rows. */
  Lockstep lockstep(int trials) {
    return parts.lockstep(trials);
  }

  /** Reads and checks what is public, before the first charge. */
  void prepare() throws IOException {
    parts.perInstance().checkFile();
    parts.ledger().requirePlanned();
    store.note(study.id(), ProcessNote.here(store, study, parts.engine(), cluster));
    parts.inputs().prepare();
  }

  /** Whether the private mean, if the sweep has one, is released or given up. */
  boolean isMeanKnown() {
    return study
        .plan()
        .meanCharge()
        .map(charge -> store.release(study.id(), charge.what()))
        .map(release -> release.flatMap(StoredRelease::values).isPresent())
        .orElse(true);
  }

  /**
   * The trials that may be run now, in any order and side by side. Those whose points follow from
   * scores come when all of these are there: none are left where this is empty.
   */
  List<PlannedTrial> open() {
    List<PlannedTrial> open = new ArrayList<>();
    for (PlannedTrial trial : trials()) {
      if (trial.isPlaced() && !hasEnded(stored(trial).state())) {
        open.add(trial);
      }
    }
    return open;
  }

  /**
   * The trials of the plan, each with its point as soon as scores that it follows from are there,
   * and at the one that was kept where it was begun.
   */
  private List<PlannedTrial> trials() {
    Map<String, RunChoices.Choice> kept = choices.all();
    return placed().stream().map(trial -> choices.of(trial, kept)).toList();
  }

  private List<PlannedTrial> placed() {
    List<PlannedTrial> planned = study.plan().trials();
    if (planned.stream().allMatch(PlannedTrial::isPlaced)) {
      return planned;
    }
    List<ScoredTrial> ended = new ArrayList<>();
    for (PlannedTrial trial : planned) {
      RunRecord stored = stored(trial);
      if (hasEnded(stored.state())) {
        ended.add(scored(trial, stored));
      }
    }
    ReleasedTrials search = (ReleasedTrials) study.sweep().search();
    return search.placed(planned, ended, study.sweep().runScale());
  }

  /** Whether nothing more comes of a trial: what is known of it then stays. */
  private boolean hasEnded(RunState state) {
    boolean scored = !(study.sweep().score() instanceof ScoreRule.None);
    return state == RunState.SCORED
        || state == RunState.UNSCORED
        || (state == RunState.TRAINED && !scored);
  }

  private ScoredTrial scored(PlannedTrial trial, RunRecord stored) {
    return ScoreDeviation.of(study.plan(), trial).scored(trial, stored.score());
  }

  private RunRecord stored(PlannedTrial trial) {
    return store.trial(study.id(), trial.number());
  }

  /** Runs one trial, from its charge to its score. */
  void trial(PlannedTrial trial, Lockstep.Member engine) throws IOException {
    TrainedModel model;
    try (engine) {
      model = trained(trial, engine);
    }
    parts.scores().score(trial, model);
  }

  private TrainedModel trained(PlannedTrial placed, ClippedSums engine) throws IOException {
    StudyPlan plan = study.plan();
    PlannedTrial trial = choices.keep(placed);
    Charge charge = plan.trialCharge(trial);
    return train(trial.number(), trial.point(), charge, plan.trialNoise(trial), engine);
  }

  /** The method first: what is public and wrong with it must not cost a charge. */
  private TrainedModel train(
      int number, TrialPoint point, Charge charge, NoiseMultiplier sigma, ClippedSums engine)
      throws IOException {
    parts.cancellation().check();
    Training method = parts.inputs().method(point, sigma, charge);
    return parts.runs().train(number, method, reserved(charge), engine);
  }

  /**
   * What follows the trials: the decision, the final run and the test.
   *
   * @param seconds how long this process has worked on the study; not asked where that is secret
   */
  StudyResult end(DoubleSupplier seconds) throws IOException {
    if (study.plan().keepsSecretBest()) {
      SecretSelection.Released best = secretBest();
      return result(best.decision(), best.model(), 0);
    }
    Decision decision = decide();
    TrainedModel model = model(decision, engine());
    return result(decision, model, isSecret() ? 0 : seconds.getAsDouble());
  }

  private SecretSelection.Released secretBest() throws IOException {
    parts.cancellation().check();
    StoredCharge charge = reserved(study.plan().secretRuns().orElseThrow().charge());
    return new SecretSelection(store, study, parts).release(charge);
  }

  /**
   * From what the trials released, which secret ones do here; as it was decided before, if it was.
   */
  Decision decide() throws IOException {
    Decision decision = decision(Question.FINAL.name(), this::decided);
    decision
        .guards()
        .forEach(guard -> listener.note("guard " + guard.name() + ": " + guard.action()));
    return decision;
  }

  /** What a run is charged at is kept first; a trial's model that is kept costs nothing more. */
  private Decision decision(String run, IOSupplier<Decision> rule) throws IOException {
    Decision decision;
    try {
      decision = rule.get();
    } catch (SearchFailedException e) {
      return choices.kept(run).orElseThrow(() -> e);
    }
    return study.plan().chargesFinal() && decision.kept().isEmpty()
        ? choices.decide(run, decision)
        : decision;
  }

  private Decision decided() throws IOException {
    StudyPlan plan = study.plan();
    if (plan.tunesInSecret()) {
      SecretRuns runs = plan.secretRuns().orElseThrow();
      Decision best = secretBest().decision();
      listener.note(
          String.format(
              Locale.ROOT,
              "the best run on a sample: learning rate %.4g, %d steps, score %.4f",
              best.point().learningRate(),
              best.point().steps(),
              best.score().orElseThrow()));
      return SecretTrials.carriedOver(
          best.point(), runs.scale(), runs.mu(), study.sweep().runScale(), plan.target().mu());
    }
    return decided(plan.target());
  }

  private Decision decided(SearchStrategy.Target target) {
    List<ScoredTrial> scored = new ArrayList<>();
    for (PlannedTrial trial : trials()) {
      scored.add(scored(trial, stored(trial)));
    }
    ReleasedTrials search = (ReleasedTrials) study.sweep().search();
    return search.decide(scored, target, study.sweep().runScale());
  }

  /** The study's model: of the final run, or of the trial that is kept, which asks nothing more. */
  TrainedModel model(Decision decision, ClippedSums engine) throws IOException {
    if (decision.kept().isPresent()) {
      return trained(kept(decision), engine);
    }
    StudyPlan plan = study.plan();
    if (!plan.chargesFinal()) {
      return parts.runs().trainOpenly();
    }
    TrialPoint point = decision.point();
    return train(RunRecord.FINAL, point, plan.finalCharge(point), plan.finalNoise(point), engine);
  }

  /** The models beside the final one, each of a run of its own. */
  private List<ReleasedModel> releases() throws IOException {
    List<ReleasedModel> released = new ArrayList<>();
    for (PlannedRelease planned : study.plan().releases()) {
      Decision decision = decision(planned.name(), () -> decided(planned.target()));
      TrialPoint point = decision.point();
      Charge charge = study.plan().releaseCharge(planned, point);
      NoiseMultiplier sigma = study.plan().releaseNoise(planned, point);
      TrainedModel model = train(planned.run(), point, charge, sigma, engine());
      released.add(
          new ReleasedModel(
              planned,
              decision,
              charge,
              store.trial(study.id(), planned.run()).stepsLost(),
              model,
              parts.scores().figures(model)));
    }
    return released;
  }

  private PlannedTrial kept(Decision decision) {
    return trials().get(decision.kept().getAsInt() - 1);
  }

  /** The test figure, and all of it as a result. */
  StudyResult result(Decision decision, TrainedModel model, double seconds) throws IOException {
    List<ReleasedModel> releases = releases();
    OptionalDouble accuracy = parts.scores().test(model);
    List<TrialOutcome> outcomes = new ArrayList<>();
    for (PlannedTrial trial : trials()) {
      RunRecord stored = stored(trial);
      outcomes.add(
          new TrialOutcome(
              trial,
              study.plan().trialCharge(trial),
              stored.state(),
              stored.stepsLost(),
              stored.score()));
    }
    Optional<Charge> last = study.plan().resultCharge(decision);
    if (last.isPresent() && study.sweep().output().perInstance().isPresent()) {
      StoredCharge proof = reserved(last.get());
      parts
          .perInstance()
          .write(parts.inputs().data().training(), store.charges(study.id()), proof)
          .ifPresent(file -> listener.note(file + " is of an earlier start and stays as it is"));
    }
    StudyNote released = ResultNote.of(decision, model, releases, accuracy);
    if (!store.notes(study.id()).contains(released)) {
      store.note(study.id(), released);
    }
    Provenance provenance = Provenance.of(store, study.id());
    return new StudyResult(
        study,
        outcomes,
        decision,
        last,
        store.trial(study.id(), decision.kept().orElse(RunRecord.FINAL)).stepsLost(),
        model,
        accuracy,
        parts.scores().figures(model),
        LearningCurve.of(store, study),
        releases,
        Statements.of(study, charges()),
        isSecret() ? Double.NaN : store.study(study.id()).orElseThrow().seconds() + seconds,
        parts.inputs().features(),
        Optional.of(provenance));
  }

  private StoredCharge reserved(Charge charge) {
    StoredCharge stored = parts.ledger().reserved(charge);
    listener.charged(charge.what(), new Spending(study.plan(), charges()));
    return stored;
  }

  private List<Charge> charges() {
    return store.charges(study.id()).stream().map(StoredCharge::charge).toList();
  }
}
