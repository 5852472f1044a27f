package io.mutune.orchestrator.plan;

import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why no guarantee can come of a plan, known before anything is read. */
public final class VoidReasons {
  private VoidReasons() {}

  /** The reasons, each the end of a sentence; empty where the guarantee will hold. */
  public static List<String> of(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    List<String> reasons = new ArrayList<>();
    if (!plan.keepsBudget()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "each of %d runs spent the whole budget of the sweep, epsilon %s, so that it was not"
                  + " kept",
              plan.trials().size(),
              sweep.budget().epsilon().value()));
    }
    if (sweep.train().method().needs(Need.OPEN_ROWS)) {
      reasons.add(
          sweep.train().method().name()
              + " trained on the rows of data.private without noise and without a charge; the"
              + " sweep declares them "
              + sweep.data().declared().key());
    }
    if (sweep.score() instanceof ScoreRule.Uncharged) {
      reasons.add(
          "trials were compared by their exact scores on the rows of data.private, for which"
              + " nothing was charged; the sweep declares them "
              + sweep.data().declared().key());
    }
    if (sweep.run().noise() instanceof NoiseRule.Seeded) {
      reasons.add(
          "the noise comes from a seed that stands in the sweep, and whoever reads it can take the"
              + " noise away");
    }
    return List.copyOf(reasons);
  }
}
