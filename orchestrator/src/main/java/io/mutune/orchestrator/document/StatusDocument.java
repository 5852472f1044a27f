package io.mutune.orchestrator.document;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a study stands: its runs, and what it has spent and has left.
 *
 * @param firstCharge when its first charge was made; empty before
 */
public record StatusDocument(
    Study study, Spending spending, List<Run> runs, Optional<Instant> firstCharge) {
  /**
   * One run of the study.
   *
   * @param what its name in the ledger
   * @param steps how many are planned; empty where that was not decided yet, and of a study with
   *     secret runs, whose steps are not counted
   * @param learningRate that is planned; empty where it follows from scores
   */
  public record Run(String what, OptionalInt steps, OptionalDouble learningRate, RunRecord record) {
    public String state() {
      return record.state().key();
    }
  }

  /** As the store has it now. */
  public static StatusDocument of(StudyStore store, Study study) {
    List<StoredCharge> charges = store.charges(study.id());
    Spending spending =
        new Spending(study.plan(), charges.stream().map(StoredCharge::charge).toList());
    boolean isSecret = study.sweep().search().isSecret();
    OptionalInt fixed = isSecret ? OptionalInt.empty() : study.sweep().search().fixedSteps();
    List<Run> runs = new ArrayList<>();
    for (PlannedTrial trial : study.plan().trials()) {
      runs.add(
          new Run(
              study.plan().trialCharge(trial).what(),
              OptionalInt.of(trial.steps()),
              trial.known().stream().mapToDouble(TrialPoint::learningRate).findFirst(),
              store.trial(study.id(), trial.number())));
    }
    for (PlannedRelease release : study.plan().releases()) {
      runs.add(
          new Run(
              release.name(),
              fixed,
              OptionalDouble.empty(),
              store.trial(study.id(), release.run())));
    }
    if (study.plan().hasFinal()) {
      runs.add(
          new Run(
              Question.FINAL.name(),
              fixed,
              OptionalDouble.empty(),
              store.trial(study.id(), RunRecord.FINAL)));
    }
    return new StatusDocument(
        study, spending, runs, charges.stream().findFirst().map(StoredCharge::reserved));
  }

  /** How many steps all runs have together; empty where that is not planned for each. */
  public OptionalLong steps() {
    return runs.stream().allMatch(run -> run.steps().isPresent())
        ? OptionalLong.of(runs.stream().mapToLong(run -> run.steps().getAsInt()).sum())
        : OptionalLong.empty();
  }

  /** How many of them have begun. */
  public long stepsBegun() {
    return runs.stream()
        .mapToLong(run -> Math.min(run.steps().orElse(0), run.record().stepsBegun()))
        .sum();
  }

  /**
   * How long the steps take that are left, by those since the first charge: about, and too long
   * where it was paused. Empty before any has begun, and where nobody knows how many there are or
   * which runs there were.
   */
  public OptionalDouble secondsLeft(Instant now) {
    double passed =
        firstCharge.map(first -> Duration.between(first, now).toMillis() / 1000.0).orElse(0.0);
    long begun = stepsBegun();
    return steps().isPresent() && begun > 0 && passed > 0
        ? OptionalDouble.of(Math.ceil((steps().getAsLong() - begun) * passed / begun))
        : OptionalDouble.empty();
  }

  /** Adds whether its runs are secret, where they are: then it cannot be paused while it runs. */
  public void putSecretRuns(ObjectNode json) {
    if (study.sweep().search().isSecret()) {
      json.put("secretRuns", true);
    }
  }

  /**
   * Without its folder, which says where things are on this machine.
   *
   * @param epsilonSpent of {@link #spending}, which takes long to find out
   */
  public ObjectNode json(String state, Epsilon epsilonSpent) {
    Budget budget = spending.budget();
    ObjectNode json = Json.document();
    json.put("study", study.id()).put("name", study.record().name());
    json.put("state", state);
    study.sweep().account().ifPresent(account -> json.put("account", account));
    json.put("strategy", study.sweep().search().name());
    json.put("method", study.sweep().train().method().name());
    json.put("created", study.record().created().toString());
    putSecretRuns(json);
    json.setAll(Json.tree(GuaranteeNote.of(VoidReasons.of(study.plan()))));
    json.put("delta", budget.delta().value());
    json.putObject("budget")
        .put("mu", budget.cap().mu().value())
        .put("epsilon", budget.epsilon().value());
    ObjectNode spent = json.putObject("spent");
    ObjectNode left = json.putObject("left");
    Optional<Balance> inMu = spending.inMu();
    if (inMu.isPresent()) {
      spent.put("mu", inMu.get().spent().mu().value());
      left.put("mu", inMu.get().left().mu().value())
          .put("epsilon", inMu.get().epsilonLeft().value());
    } else {
      left.put("charges", spending.planned() - spending.charges().size());
    }
    spent.put("epsilon", epsilonSpent.value());
    ArrayNode array = json.putArray("runs");
    for (Run run : runs) {
      ObjectNode entry = array.addObject().put("run", run.what());
      entry.put("state", run.state()).put("starts", run.record().starts());
      entry.put("stepsBegun", run.record().stepsBegun());
      entry.put("stepsLost", run.record().stepsLost());
      run.steps().ifPresent(steps -> entry.put("steps", steps));
      run.learningRate().ifPresent(rate -> entry.put("learningRate", rate));
      run.record().score().ifPresent(score -> entry.put("score", score));
    }
    return json;
  }
}
