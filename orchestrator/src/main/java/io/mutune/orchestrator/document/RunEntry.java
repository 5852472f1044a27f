package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.mutune.accountant.Mu;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Searched;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One run in a document: a trial as it is planned, a trial that was made, or the final run, each
 * with those of the values that it has.
 *
 * @param trial its number; of the final run the trial whose model is kept in its place
 * @param point what the search chose, and what follows from it, each number under its own key
 * @param chosenBySweep the round whose scores choose the point, where it is not known yet
 * @param from the trial whose point it takes over
 */
@JsonPropertyOrder({"trial", "sweep", "epsilon", "mu", "point", "chosenBySweep"})
public record RunEntry(
    OptionalInt trial,
    OptionalInt sweep,
    OptionalDouble epsilon,
    OptionalDouble mu,
    @JsonAnyGetter @JsonAnySetter Map<String, Number> point,
    OptionalInt chosenBySweep,
    OptionalDouble sigma,
    OptionalInt from,
    OptionalInt lostSteps,
    OptionalDouble score,
    Optional<String> state) {

  /** What the search chose of a point, and what follows from it. */
  static Map<String, Number> point(TrialPoint point, SweepDefinition sweep, Mu mu) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    Searched searched = sweep.train().method().searched();
    if (searched.hasRate()) {
      numbers.put("learningRate", point.learningRate());
    }
    if (searched != Searched.NOTHING) {
      numbers.put("steps", point.steps());
    }
    if (searched.hasRate()) {
      numbers.put("radius", point.radius());
      numbers.put("logitNoise", sweep.runScale().logitNoise(point, mu));
    }
    numbers.putAll(point.sortedSettings());
    return numbers;
  }

  public OptionalDouble number(String key) {
    Number number = point.get(key);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number.doubleValue());
  }

  /** Whether a crash took its score, which is charged; a search that asks none has none to lose. */
  public boolean hasLostScore() {
    return state.filter(RunState.UNSCORED.key()::equals).isPresent();
  }

  /** As tables and charts call a trial. */
  public String name() {
    return "trial " + trial.orElse(0);
  }
}
