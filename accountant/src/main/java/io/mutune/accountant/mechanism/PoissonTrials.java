package io.mutune.accountant.mechanism;

import java.util.List;
import java.util.Map;

/**
 * K from the Poisson law, where K = 0 releases nothing but that (Papernot and Steinke 2022, Theorem
 * 6).
 *
 * @param mean E[K], finite and above 0
 */
public record PoissonTrials(double mean) implements TrialCount {
  static final LedgerForm<PoissonTrials> FORM =
      new LedgerForm<>("poisson", List.of("mean"), read -> new PoissonTrials(read.number("mean")));

  public PoissonTrials {
    Require.positive("mean", mean);
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(mean);
  }
}
