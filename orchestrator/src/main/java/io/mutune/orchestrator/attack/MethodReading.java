package io.mutune.orchestrator.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.AdaMixed;
import io.mutune.orchestrator.sweep.FullBatch;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.Sampled;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Update;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.attack.Velocity;
import io.mutune.trainer.method.DpAdamWosm;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.NoisyGd;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How the iterates of one run are read, by its method and its point. */
final class MethodReading {
  private final SweepDefinition sweep;
  private final TrialPoint point;
  private final MethodDefinition method;
  private final PublicInputs known;

  MethodReading(SweepDefinition sweep, TrialPoint point, PublicInputs known) {
    this.sweep = sweep;
    this.point = point;
    this.method = sweep.train().method().with(point.settings());
    this.known = known;
  }

  /** A velocity that iterates begin their memory with, and its momentum. */
  private record Remembered(double momentum, Velocity velocity) {}

  /**
   * What a run's iterates tell of its noisy sums; empty where they do not remember them.
   *
   * @param zero weights of the model's shape
   */
  Optional<ReleasedDescent> descent(List<Iterate> iterates, double[] zero, NoiseMultiplier sigma) {
    double[] start = known.start().map(LinearModel::weights).orElse(zero);
    return remembered(start)
        .map(r -> ReleasedDescent.of(iterates, start, r.momentum(), sigma, r.velocity()));
  }

  /** The velocity in an iterate; empty where there is none. */
  double[] velocity(Iterate last, LinearModel model) {
    return remembered(model.weights()).isPresent()
        ? Arrays.copyOf(last.memory(), model.weights().length)
        : new double[0];
  }

  /** What a run of this method releases after its last iterate. */
  double[] weights(Iterate last) {
    if (method instanceof FullBatch full) {
      return released(last, full.momentum(), full.freeStep(), full.restraint());
    }
    if (method instanceof Sampled sampled && sampled.update() instanceof Update.Sgd sgd) {
      return released(last, sgd.momentum(), sgd.freeStep(), Restraint.NONE);
    }
    return last.weights();
  }

  private double[] released(Iterate last, double momentum, boolean freeStep, Restraint restraint) {
    return NoisyGd.released(
        last, point.learningRate(), point.steps(), momentum, freeStep, restraint);
  }

  private Optional<Remembered> remembered(double[] start) {
    long rows = sweep.rows();
    if (method instanceof FullBatch full) {
      Restraint restraint = full.restraint();
      return Optional.of(
          new Remembered(
              full.momentum(),
              new Velocity.OfMeans(
                  full.clipNorm(),
                  rows,
                  1,
                  restraint.weightDecay() / rows,
                  restraint.towardsStart() ? start : new double[0])));
    }
    if (method instanceof AdaMixed mixed) {
      return Optional.of(
          new Remembered(
              mixed.momentum(),
              new Velocity.OfAdaMix(
                  mixed.clip(),
                  mixed.directions(),
                  mixed.publicGradient(),
                  mixed.weightDecay(),
                  rows,
                  known.rows().orElseThrow(),
                  sweep.train().loss(),
                  sweep.classes())));
    }
    return method instanceof Sampled sampled ? remembered(sampled) : Optional.empty();
  }

  private Optional<Remembered> remembered(Sampled sampled) {
    if (sampled.update() instanceof Update.Sgd sgd) {
      return Optional.of(mean(sampled, sgd.momentum(), 1));
    }
    if (sampled.update() instanceof Update.Adam adam) {
      return Optional.of(mean(sampled, adam.beta1(), 1 - adam.beta1()));
    }
    return sampled.update() instanceof Update.AdamWithoutSecondMoments
        ? Optional.of(mean(sampled, DpAdamWosm.MEAN_DECAY, 1 - DpAdamWosm.MEAN_DECAY))
        : Optional.empty();
  }

  /**
   * A mean over samples.
   *
   * @param part of each gradient that the velocity takes
   */
  private Remembered mean(Sampled sampled, double momentum, double part) {
    double share = sampled.samplingRate();
    return new Remembered(
        momentum, new Velocity.OfMeans(sampled.clipNorm(), share * sweep.rows() / part, share));
  }
}
