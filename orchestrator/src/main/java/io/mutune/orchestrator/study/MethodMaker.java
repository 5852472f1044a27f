package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Makes the runs of a study. What they start from is public; it is read, trained and checked here,
 * so that whatever is wrong with it is an error before anything is charged.
 */
record MethodMaker(SweepDefinition sweep, PublicInputs inputs) {
  /**
   * Reads what is public.
   *
   * @param plan from which a run that leaves nothing to search has its noise
   * @throws IOException if a file is missing, or not what the sweep says it is
   */
  static MethodMaker of(StudyPlan plan, StudyData data) throws IOException {
    SweepDefinition sweep = plan.sweep();
    TrainingMethod method = sweep.train().method();
    try {
      MethodMaker maker =
          new MethodMaker(
              sweep,
              StartModel.inputs(
                  data.files(),
                  method.needs(Need.PUBLIC_ROWS) ? data.publicRows() : Optional.empty(),
                  data.allFeatures()));
      if (method.isCharged()) {
        TrialPoint point = new TrialPoint(1, 1);
        // Any run's: what can be wrong does not depend on its point or its noise, unless both are
        // known already.
        boolean known = method.searched() == Searched.NOTHING;
        NoiseMultiplier sigma = known ? plan.finalNoise(point) : NoiseMultiplier.of(1);
        OptionalInt stated = sweep.data().modelFeatures();
        Require.none(method.whyNoRun(sigma, sweep.problem(), stated));
        requireWidth(maker.make(point, sigma, sweep.rows()).features(), stated);
      }
      return maker;
    } catch (IllegalArgumentException e) {
      throw new IOException(blamed(sweep) + ": " + e.getMessage(), e);
    }
  }

  /** What a message about public inputs begins with. */
  private static String blamed(SweepDefinition sweep) {
    TrainingMethod method = sweep.train().method();
    Optional<Path> start = method.start().file();
    if (start.isPresent()) {
      return "train.start (" + start.get() + ")";
    }
    if (method.start() instanceof Start.FromLabelNames) {
      return "train.start (" + Start.LABEL_NAMES + ")";
    }
    // Its settings and the budget decide everything, and are what does not go together.
    boolean settled = method.searched() == Searched.NOTHING;
    return sweep
        .data()
        .publicRows()
        .filter(rows -> !settled)
        .map(rows -> "data.public (" + rows.spec().file() + ")")
        .orElse("train");
  }

  private static void requireWidth(OptionalInt needed, OptionalInt stated) {
    if (needed.isPresent() && stated.isPresent() && needed.getAsInt() != stated.getAsInt()) {
      throw new IllegalArgumentException(
          "%d features do not suit the %d that data.private has"
              .formatted(needed.getAsInt(), stated.getAsInt()));
    }
  }

  /**
   * A run.
   *
   * @param rows the public number that it takes its rows to be; fewer than all on a sample
   */
  Training make(TrialPoint point, NoiseMultiplier sigma, long rows) {
    TrainingMethod method = sweep.train().method().with(point.settings());
    if (rows != sweep.rows() && !method.trainsOnSamples()) {
      throw new IllegalArgumentException(method.name() + " does not train on a sample");
    }
    return method.training(
        sweep.problem().ofRows(rows), new Run(point.learningRate(), point.steps(), sigma), inputs);
  }
}
