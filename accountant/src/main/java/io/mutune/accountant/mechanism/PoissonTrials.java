package io.mutune.accountant.mechanism;

import java.util.Map;

/**
 * K from the Poisson law, where K = 0 releases nothing but that (Papernot and Steinke 2022, Theorem
 * 6).
 *
 * @param mean E[K], finite and above 0
 */
public record PoissonTrials(double mean) implements TrialCount {
  static final String NAME = "poisson";

  public PoissonTrials {
    Require.positive("mean", mean);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Number> parameters() {
    return Map.of("mean", mean);
  }

  static PoissonTrials ofParameters(Map<String, ? extends Number> parameters) {
    return new PoissonTrials(Parameters.of(NAME, parameters, "mean").number("mean"));
  }
}
