package io.mutune.orchestrator.study;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.Classic;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.Adaptation;
import io.mutune.trainer.method.Agd;
import io.mutune.trainer.method.DpZo;
import io.mutune.trainer.method.ObjectivePerturbation;
import io.mutune.trainer.method.OutputPerturbation;
import io.mutune.trainer.method.Pate;
import io.mutune.trainer.method.Pnsgd;
import io.mutune.trainer.method.Ppgd;
import io.mutune.trainer.method.Ppsgd;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import java.util.Optional;

/** Makes the classic methods from a sweep's settings and a run's noise. */
final class ClassicMaker {
  private final SweepDefinition sweep;
  private final Loss loss;
  private final Optional<PublicRows> publicRows;
  private final Optional<LinearModel> start;

  ClassicMaker(
      SweepDefinition sweep, Optional<PublicRows> publicRows, Optional<LinearModel> start) {
    this.sweep = sweep;
    this.loss = sweep.train().loss();
    this.publicRows = publicRows;
    this.start = start;
  }

  /**
   * The method of a run.
   *
   * @throws IllegalArgumentException if settings do not go together, or there are not as many
   *     public rows as the sweep states
   */
  TrainingMethod make(Classic definition, TrialPoint point, NoiseMultiplier sigma) {
    if (definition instanceof Classic.Ppsgd method) {
      TruncatedConcentratedDp total = method.total(sigma, sweep.budget());
      Ppsgd.Settings settings =
          new Ppsgd.Settings(
              adaptation(method.rule(), total.rho()),
              total,
              method.batch(),
              sweep.budget().adjacency(),
              sweep.rows());
      return new Ppsgd(settings, publicRows.orElseThrow());
    } else if (definition instanceof Classic.Ppgd method) {
      Gaussian charge = method.mechanism(sigma, sweep.budget(), point.steps());
      Mu total = Mu.of(charge.sensitivity());
      Adaptation adaptation = adaptation(method.rule(), total.value() * total.value() / 2);
      return new Ppgd(
          new Ppgd.Settings(adaptation, total, sweep.budget().adjacency(), sweep.rows()),
          publicRows.orElseThrow());
    } else if (definition instanceof Classic.Agd method) {
      return agd(method, Classic.rhoOf(sigma));
    } else if (definition instanceof Classic.OutputPerturbation method) {
      return new OutputPerturbation(
          new OutputPerturbation.Settings(
              method.weightDecay(),
              method.solverDistance().orElse(1e-2 / (method.weightDecay() * sweep.rows())),
              method.exponential()
                  ? new OutputPerturbation.Noise.Exponential(Classic.epsilonOf(sigma))
                  : new OutputPerturbation.Noise.Normal(sigma),
              sweep.budget().adjacency(),
              sweep.rows(),
              loss,
              sweep.classes()));
    } else if (definition instanceof Classic.ObjectivePerturbation method) {
      return new ObjectivePerturbation(
          new ObjectivePerturbation.Settings(
              Classic.epsilonOf(sigma),
              sweep.budget().delta(),
              method.weightDecay(),
              method.solverDistance().orElse(1e-4 / (method.weightDecay() * sweep.rows())),
              sweep.budget().adjacency(),
              sweep.rows(),
              loss,
              sweep.classes()));
    } else if (definition instanceof Classic.Pnsgd method) {
      return pnsgd(method, sigma);
    } else if (definition instanceof Classic.Pate method) {
      return pate(method, sigma);
    } else if (definition instanceof Classic.DpZo method) {
      return dpZo(method, point, sigma);
    }
    throw new AssertionError(definition);
  }

  private Adaptation adaptation(Classic.AdaptationRule rule, double totalRho) {
    return new Adaptation(
        rule.learningRate(),
        rule.firstShare() * totalRho,
        rule.clipNorm(),
        rule.noiseRatio(),
        rule.rhoGrowth(),
        rule.clipRatio(),
        rule.clipShrink(),
        rule.weightDecay(),
        rule.reuse(),
        loss,
        sweep.classes(),
        Optional.empty());
  }

  private TrainingMethod agd(Classic.Agd method, double rho) {
    return new Agd(
        new Agd.Settings(
            rho,
            method.gradientShare() * rho,
            method.searchShare() * rho,
            method.growth(),
            method.clipNorm(),
            method.lossBound(),
            method.candidates(),
            method.greatestStep(),
            method.stepGrowth(),
            method.period(),
            method.weightDecay(),
            sweep.budget().adjacency(),
            sweep.rows(),
            loss,
            sweep.classes()));
  }

  private TrainingMethod pnsgd(Classic.Pnsgd method, NoiseMultiplier sigma) {
    Pnsgd.Settings settings =
        new Pnsgd.Settings(
            method.learningRate(),
            method.weightDecay(),
            sigma,
            method.publicPasses(),
            sweep.budget().adjacency(),
            sweep.rows(),
            loss,
            sweep.classes());
    return new Pnsgd(
        settings, method.usesPublicRows() ? stated(method.shownRows()) : PublicRows.none());
  }

  private TrainingMethod pate(Classic.Pate method, NoiseMultiplier sigma) {
    Pate.Settings settings =
        new Pate.Settings(
            method.teachers(),
            method.threshold(),
            method.thresholdSigma(sigma),
            method.voteSigma(sigma),
            method.answers(),
            method.weightDecay(),
            sweep.rows(),
            loss,
            sweep.classes());
    return new Pate(settings, stated(method.questions()));
  }

  /** The plan was made for so many; they are public, so both numbers may be named. */
  private PublicRows stated(long count) {
    PublicRows rows = publicRows.orElseThrow();
    if (rows.count() != count) {
      throw new IllegalArgumentException(
          "data.public has %d rows and not the %d that it states".formatted(rows.count(), count));
    }
    return rows;
  }

  private TrainingMethod dpZo(Classic.DpZo method, TrialPoint point, NoiseMultiplier sigma) {
    return new DpZo(
        new DpZo.Settings(
            point.learningRate(),
            point.steps(),
            method.smoothing(),
            method.clipNorm(),
            sigma,
            method.directionSeed(),
            sweep.budget().adjacency(),
            sweep.rows(),
            loss,
            sweep.classes(),
            start));
  }
}
