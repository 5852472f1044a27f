package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.TrialCount;
import java.util.Optional;

/**
 * Tuning on samples (Koskela and Kulkarni 2023): random stopping on a part of the rows finds a
 * point, and a final run on all rows takes it over. Each run has a secret Poisson sample of its
 * own, so that it is one mechanism that sampling amplifies, and the runs are alike and independent
 * as random stopping asks; of one sample for all runs no such bound is known here.
 *
 * @param sampleRate above 0 and below 1
 * @param epsilon of all runs together, at the study's δ
 */
public record SubsampledTuning(
    RadiusSpace space, TrialCount law, double sampleRate, Epsilon epsilon) implements SecretTrials {
  public SubsampledTuning {
    SecretTrials.require(law);
    if (!(sampleRate > 0 && sampleRate < 1)) {
      throw new IllegalArgumentException(
          "the sampling rate must be above 0 and below 1; was " + sampleRate);
    }
    if (space.steps().only().isEmpty()) {
      throw new IllegalArgumentException("the plan is fixed, so there is one number of steps");
    }
  }

  @Override
  public String name() {
    return "subsampled-tuning";
  }

  @Override
  public Optional<Epsilon> tuningEpsilon() {
    return Optional.of(epsilon);
  }
}
