package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.study.StudyResult;
import java.util.List;

/**
 * What a comparison keeps of one study that ended and was audited.
 *
 * @param accuracy on the test rows
 * @param learningRate of the model that is the result, and its steps
 * @param trained passes over the rows, its trials' included
 * @param seconds of it, side by side with others
 * @param epsilon that it spent, at the budget's δ
 * @param guards by name, each once
 */
public record Outcome(
    double accuracy,
    double learningRate,
    int steps,
    double trained,
    double seconds,
    double epsilon,
    List<String> guards) {
  public Outcome {
    guards = List.copyOf(guards);
  }

  static Outcome of(StudyResult result, double seconds) {
    return new Outcome(
        result.testAccuracy().orElseThrow(),
        result.decision().point().learningRate(),
        result.decision().point().steps(),
        trained(result),
        seconds,
        result.statement().epsilon().value(),
        result.decision().guards().stream().map(Guard::name).distinct().toList());
  }

  private static double trained(StudyResult result) {
    if (result.study().sweep().search() instanceof SecretTrials search) {
      double runs =
          search.law().mean()
              * search.sampleRate()
              * (search.space().steps().min() + search.space().steps().max())
              / 2;
      return runs + (search.sampleRate() < 1 ? result.decision().point().steps() : 0);
    }
    int trials = result.trials().stream().mapToInt(t -> t.trial().steps()).sum();
    return trials + (result.decision().kept().isPresent() ? 0 : result.decision().point().steps());
  }

  static Sample accuracies(List<Outcome> outcomes) {
    return new Sample(outcomes.stream().map(Outcome::accuracy).toList());
  }
}
