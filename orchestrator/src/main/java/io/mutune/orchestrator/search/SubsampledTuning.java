package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.mechanism.TrialCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tuning on samples (Koskela and Kulkarni 2023): random stopping on a part of the rows finds a
 * point, and a final run on all rows takes it over. Each run has a secret Poisson sample of its
 * own, so that it is one mechanism that sampling amplifies, and the runs are alike and independent
 * as random stopping asks; of one sample for all runs no such bound is known here. What is carried
 * over is ν, in which problems of different sizes are alike.
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

  /**
   * The final run's point, with the ν of the best run.
   *
   * @param best that was released
   * @param ofRuns the scale of the runs, on as many rows as a sample has, and their μ
   * @param ofFinal the scale of the final run, and its μ
   */
  public Decision carriedOver(
      TrialPoint best, RunScale ofRuns, Mu runs, RunScale ofFinal, Mu last) {
    List<Guard> guards = new ArrayList<>();
    double nu = ofRuns.logitNoise(best, runs);
    RunScale scale = ofFinal.with(best.settings());
    TrialPoint point =
        StabilityLimit.spread(scale.radius(nu, last), best.steps(), scale, guards)
            .with(best.settings());
    return new Decision(point, Optional.empty(), List.copyOf(guards));
  }
}
