package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.AdaMixed;
import io.mutune.orchestrator.sweep.Classic;
import io.mutune.orchestrator.sweep.FullBatch;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.Sampled;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Tuned;
import io.mutune.orchestrator.sweep.Update;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.AdaMix;
import io.mutune.trainer.method.DpAdam;
import io.mutune.trainer.method.DpAdamWosm;
import io.mutune.trainer.method.DpSgd;
import io.mutune.trainer.method.NoisyGd;
import io.mutune.trainer.method.NoisyGradient;
import io.mutune.trainer.method.SgdAdv;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Makes a study's training methods. What they start from is public; it is read, trained and checked
 * here, so that whatever is wrong with it is an error before anything is charged.
 */
final class MethodMaker {
  private final SweepDefinition sweep;
  private final MethodDefinition definition;
  private final Loss loss;
  private final Optional<PublicRows> publicRows;
  private final Optional<LinearModel> start;

  private MethodMaker(
      SweepDefinition sweep, Optional<PublicRows> publicRows, Optional<LinearModel> start) {
    this.sweep = sweep;
    this.definition = sweep.train().method();
    this.loss = sweep.train().loss();
    this.publicRows = publicRows;
    this.start = start;
  }

  /**
   * Reads what is public.
   *
   * @param plan from which a run that leaves nothing to look for has its noise
   * @throws IOException if a file is missing, or not what the sweep says it is
   */
  static MethodMaker of(StudyPlan plan, StudyData data) throws IOException {
    SweepDefinition sweep = plan.sweep();
    Optional<PublicRows> rows =
        sweep.train().method().usesPublicRows() ? data.publicRows() : Optional.empty();
    StartRule rule = sweep.train().method().start();
    MethodMaker maker;
    try {
      maker = new MethodMaker(sweep, rows, StartModel.of(data.files(), rows));
      if (!sweep.train().method().isCharged()) {
        return maker;
      }
      TrialPoint point = new TrialPoint(1, 1);
      // Any run's: what can be wrong does not depend on its point or its noise, unless both are
      // known already.
      boolean known = sweep.train().method().tuned() == Tuned.NOTHING;
      maker.requireWidth(maker.make(point, known ? plan.finalNoise(point) : NoiseMultiplier.of(1)));
    } catch (IllegalArgumentException e) {
      throw new IOException(blamed(sweep, rule) + ": " + e.getMessage(), e);
    }
    return maker;
  }

  /** What a message about public inputs begins with. */
  private static String blamed(SweepDefinition sweep, StartRule rule) {
    if (sweep.train().method() instanceof Classic) {
      return "train";
    }
    return rule instanceof StartRule.FromFile file
        ? "train.start (" + file.file() + ")"
        : sweep
            .publicRows()
            .map(rows -> "data.public (" + rows.spec().file() + ")")
            .orElse("train");
  }

  private void requireWidth(TrainingMethod method) {
    OptionalInt stated = sweep.modelFeatures();
    stated.ifPresent(method::checkFeatures);
    if (stated.isPresent()
        && method.features().isPresent()
        && method.features().getAsInt() != stated.getAsInt()) {
      throw new IllegalArgumentException(
          "%d features do not suit the %d that data.private has"
              .formatted(method.features().getAsInt(), stated.getAsInt()));
    }
  }

  /** The method of a run on all rows. */
  TrainingMethod make(TrialPoint point, NoiseMultiplier sigma) {
    return make(point, sigma, sweep.rows());
  }

  /**
   * The method of a run.
   *
   * @param rows the public number that it takes its rows to be; fewer than all on a sample, for
   *     methods that take all rows in each step
   */
  TrainingMethod make(TrialPoint point, NoiseMultiplier sigma, long rows) {
    MethodDefinition definition = this.definition.with(point.settings());
    if (definition instanceof FullBatch method) {
      return fullBatch(method, point, sigma, rows);
    }
    if (rows != sweep.rows()) {
      throw new IllegalArgumentException(definition.name() + " does not train on a sample");
    }
    if (definition instanceof Sampled method) {
      return sampled(method, point, sigma);
    }
    if (definition instanceof AdaMixed method) {
      return adaMix(method, point, sigma);
    }
    return new ClassicMaker(sweep, publicRows, start).make((Classic) definition, point, sigma);
  }

  private TrainingMethod fullBatch(
      FullBatch method, TrialPoint point, NoiseMultiplier sigma, long rows) {
    return new NoisyGd(
        new NoisyGd.Settings(
            point.learningRate(),
            point.steps(),
            method.momentum(),
            method.freeStep(),
            method.clipNorm(),
            sigma,
            sweep.budget().adjacency(),
            rows,
            loss,
            sweep.classes(),
            start,
            method.restraint(),
            method.rounding()));
  }

  private TrainingMethod sampled(Sampled method, TrialPoint point, NoiseMultiplier sigma) {
    NoisyGradient gradient =
        new NoisyGradient(
            method.clipNorm(),
            sigma,
            method.samplingRate(),
            sweep.budget().adjacency(),
            sweep.rows(),
            loss,
            sweep.classes(),
            method.rounding());
    if (method.update() instanceof Update.Sgd sgd) {
      return new DpSgd(
          new DpSgd.Settings(
              point.learningRate(),
              point.steps(),
              sgd.momentum(),
              sgd.freeStep(),
              gradient,
              start));
    }
    if (method.update() instanceof Update.Falling falling) {
      return new SgdAdv(
          new SgdAdv.Settings(
              point.learningRate(), point.steps(), falling.weightDecay(), gradient));
    }
    if (method.update() instanceof Update.AdamWithoutSecondMoments) {
      return new DpAdamWosm(new DpAdamWosm.Settings(point.steps(), gradient, start));
    }
    Update.Adam adam = (Update.Adam) method.update();
    return new DpAdam(
        new DpAdam.Settings(
            point.learningRate(),
            point.steps(),
            adam.beta1(),
            adam.beta2(),
            adam.epsilon(),
            gradient,
            start));
  }

  private TrainingMethod adaMix(AdaMixed method, TrialPoint point, NoiseMultiplier sigma) {
    PublicRows rows = publicRows.orElseThrow();
    AdaMix.Settings settings =
        new AdaMix.Settings(
            point.learningRate(),
            point.steps(),
            method.momentum(),
            method.clip(),
            method.directions(),
            method.publicGradient(),
            method.weightDecay(),
            sigma,
            sweep.budget().adjacency(),
            sweep.rows(),
            loss,
            sweep.classes());
    int features = sweep.modelFeatures().orElseThrow();
    return new AdaMix(
        settings,
        rows,
        start.orElseGet(() -> LinearModel.zero(features, loss.columns(sweep.classes()))));
  }
}
