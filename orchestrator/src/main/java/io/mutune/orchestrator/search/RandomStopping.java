package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.TrialCount;
import java.util.Optional;

/** Random stopping on all rows: the best run's model is the result as it is. */
public record RandomStopping(RadiusSpace space, TrialCount law) implements SecretTrials {
  public RandomStopping {
    SecretTrials.require(law);
  }

  @Override
  public String name() {
    return "random-stopping";
  }

  @Override
  public Optional<Epsilon> tuningEpsilon() {
    return Optional.empty();
  }
}
