package io.mutune.orchestrator.sweep;

import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.TrialsThenFinal;

/** What a strategy cannot have beside it in a sweep. */
final class StrategyLimits {
  private StrategyLimits() {}

  /**
   * Notes what does not go together. Random stopping is one charge of one kind of run, of which
   * nothing but the best is told; a method that charges nothing has no run to keep.
   *
   * @param hasMean whether the features have a private mean
   * @param hasRowCosts whether the sweep asks for what each row has cost
   */
  static void check(
      YamlSection search,
      SearchStrategy strategy,
      MethodDefinition method,
      boolean hasMean,
      NoiseRule noise,
      boolean hasRowCosts) {
    if (!method.isCharged() && !(strategy instanceof TrialsThenFinal)) {
      refuse(search, strategy, method.name() + ", which has no charged run");
    }
    if (!(strategy instanceof RandomStopping)) {
      return;
    }
    if (hasMean) {
      refuse(search, strategy, "a private-mean, which is a charge of its own");
    }
    if (noise.grid().isPresent()) {
      refuse(search, strategy, "noise on a grid, whose rounding its one charge does not name");
    }
    if (hasRowCosts) {
      refuse(search, strategy, "output.perInstance: its runs are secret");
    }
  }

  private static void refuse(YamlSection search, SearchStrategy strategy, String what) {
    search.broken("strategy", "must not be with " + what, strategy.name());
  }
}
