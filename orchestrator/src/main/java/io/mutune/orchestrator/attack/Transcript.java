package io.mutune.orchestrator.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.FullBatch;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.StudyPlan;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.model.LinearModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a study released, as an attacker has it.
 *
 * @param iterates of each run, by its number
 * @param events in the order in which they happened
 * @param log lines that its listener was told
 * @param ledgerSpan from its first charge to its last, by the ledger's clock
 */
public record Transcript(
    StudyResult result,
    Map<Integer, List<Iterate>> iterates,
    List<RecordingStore.Event> events,
    List<String> log,
    Duration ledgerSpan) {

  /** One run that was seen whole: its model and what its iterates tell. */
  record Run(int number, LinearModel model, Optional<ReleasedDescent> descent) {}

  StudyPlan plan() {
    return result.study().plan();
  }

  /**
   * Trials first, then the run whose model is the result; the trials of random stopping are secret
   * and not among them.
   */
  List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (TrialOutcome outcome : result.trials()) {
      int number = outcome.trial().number();
      if (result.decision().kept().orElse(-1) != number && iterates.containsKey(number)) {
        List<Iterate> own = iterates.get(number);
        Iterate last = own.get(own.size() - 1);
        runs.add(
            new Run(
                number,
                released(last, outcome.trial().point()),
                descent(number, plan().trialNoise(outcome.trial()))));
      }
    }
    int last = result.decision().kept().orElse(TrialRecord.FINAL);
    Optional<ReleasedDescent> seen =
        !iterates.containsKey(last)
            ? Optional.empty()
            : descent(
                last,
                last == TrialRecord.FINAL
                    ? plan().finalNoise(result.decision().point())
                    : plan().trialNoise(plan().trials().get(last - 1)));
    runs.add(new Run(last, result.model(), seen));
    return runs;
  }

  /** With the free step, where the method has one. */
  private LinearModel released(Iterate last, TrialPoint point) {
    double[] weights = last.weights();
    double[] velocity = last.memory();
    if (method() instanceof FullBatch full && full.freeStep()) {
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= point.learningRate() * velocity[i];
      }
    }
    return new LinearModel(result.model().features(), result.model().columns(), weights);
  }

  private MethodDefinition method() {
    return result.study().sweep().train().method();
  }

  /** Where the update is plain momentum from zero, so that iterates tell sums. */
  private Optional<ReleasedDescent> descent(int number, NoiseMultiplier sigma) {
    return method() instanceof FullBatch full
            && full.restraint().equals(Restraint.NONE)
            && full.start() instanceof StartRule.Zero
        ? Optional.of(
            ReleasedDescent.ofMomentum(
                iterates.getOrDefault(number, List.of()),
                new double[result.model().features() * result.model().columns()],
                full.momentum(),
                full.clipNorm(),
                sigma,
                result.study().sweep().rows()))
        : Optional.empty();
  }
}
