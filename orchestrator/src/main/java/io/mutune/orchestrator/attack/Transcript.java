package io.mutune.orchestrator.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.TrainedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a study released, as an attacker has it.
 *
 * @param known what everybody knows of it beforehand
 * @param iterates of each run, by its number
 * @param events in the order in which they happened
 * @param log lines that its listener was told
 * @param counts noisy ones that scores follow from, by the names of their charges
 * @param ledgerSpan from its first charge to its last, by the ledger's clock
 * @param coins which no attacker has, for checks of the noise; empty where rows need protection
 */
public record Transcript(
    StudyResult result,
    PublicInputs known,
    Map<Integer, List<Iterate>> iterates,
    List<RecordingStore.Event> events,
    List<String> log,
    Map<String, double[]> counts,
    Duration ledgerSpan,
    Optional<RecordedNoise> coins) {

  /** One run that was seen whole: its model and what its iterates tell. */
  record Run(int number, TrainedModel model, Optional<ReleasedDescent> descent) {}

  SweepDefinition sweep() {
    return result.study().sweep();
  }

  StudyPlan plan() {
    return result.study().plan();
  }

  /**
   * Trials first, then the run whose model is the result. Of secret runs the best alone is among
   * them, and only its model.
   */
  List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (TrialOutcome outcome : result.trials()) {
      int number = outcome.trial().number();
      if (result.decision().kept().orElse(-1) != number && iterates.containsKey(number)) {
        TrialPoint point = outcome.trial().point();
        runs.add(
            new Run(
                number,
                reading(point).model(last(number), result.model().columns()),
                descent(number, point, plan().trialNoise(outcome.trial()))));
      }
    }
    if (plan().tunesInSecret() && iterates.containsKey(StudyPlan.TUNING)) {
      TrainingMethod method = sweep().train().method();
      TrainedModel best = method.stored(last(StudyPlan.TUNING).weights(), result.model().columns());
      runs.add(new Run(StudyPlan.TUNING, best, Optional.empty()));
    }
    runs.add(resultRun());
    return runs;
  }

  private Run resultRun() {
    int number = resultNumber();
    TrialPoint point = result.decision().point();
    Optional<ReleasedDescent> descent =
        isSeen()
            ? descent(
                number,
                point,
                number == RunRecord.FINAL
                    ? plan().finalNoise(point)
                    : plan().trialNoise(plan().trials().get(number - 1)))
            : Optional.empty();
    return new Run(number, result.model(), descent);
  }

  private int resultNumber() {
    return result.decision().kept().orElse(RunRecord.FINAL);
  }

  /** Whether the run whose model is the result released its iterates. */
  private boolean isSeen() {
    return iterates.containsKey(resultNumber()) && !plan().keepsSecretBest();
  }

  private Iterate last(int number) {
    List<Iterate> own = iterates.getOrDefault(number, List.of());
    return own.get(own.size() - 1);
  }

  private MethodReading reading(TrialPoint point) {
    return new MethodReading(sweep(), point, known);
  }

  private Optional<ReleasedDescent> descent(int number, TrialPoint point, NoiseMultiplier sigma) {
    return reading(point).descent(iterates.getOrDefault(number, List.of()), zero(), sigma);
  }

  /** Weights of a linear model's shape. */
  private double[] zero() {
    return new double[result.model().features() * result.model().columns()];
  }

  /** The momentum that the run whose model is the result ended with; empty where it has none. */
  double[] velocity() {
    TrialPoint point = result.decision().point();
    return isSeen()
        ? reading(point).velocity(iterates.getOrDefault(resultNumber(), List.of()), zero())
        : new double[0];
  }
}
