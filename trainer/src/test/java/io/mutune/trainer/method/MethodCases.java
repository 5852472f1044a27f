package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Problem;
import io.mutune.trainer.model.SoftmaxLoss;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/** Every method that the conformance tests are run on: a new one gets its line here. */
final class MethodCases {
  static final double SIGMA = 3;
  static final double CLIP = 0.5;
  static final double RATE = 0.7;
  static final double SAMPLING_RATE = 0.3;
  static final long PUBLIC_ROWS = 50;
  static final int DIRECTIONS = 4;

  /** The deviation of one noisy mean gradient over all rows. */
  private static final double NOISE = SIGMA * CLIP / PUBLIC_ROWS;

  private MethodCases() {}

  static List<MethodCase> all() {
    Restraint ball = new Restraint(2, true, 1000, Restraint.Schedule.INVERSE, false);
    Restraint theorem = theorem3(40, 3);
    return List.of(
        full("NoisyGd", (a, t) -> noisyGd(a, t, Optional.empty(), Restraint.NONE), RATE * NOISE),
        full("NoisyGd restrained", (a, t) -> noisyGd(a, t, start(), ball), RATE * NOISE),
        // The average of one step is the start, without noise.
        full("NoisyGd averaged", (a, t) -> noisyGd(a, t, start(), theorem), Double.NaN),
        full("DpSgd of all rows", (a, t) -> dpSgd(a, t, 1), RATE * NOISE),
        sampled("DpSgd", (a, t) -> dpSgd(a, t, SAMPLING_RATE), RATE * NOISE / SAMPLING_RATE),
        // Adam's first step is not linear in the noise.
        sampled("DpAdam", (a, t) -> dpAdam(a, t, SAMPLING_RATE), Double.NaN),
        full("DpAdam of all rows", (a, t) -> dpAdam(a, t, 1), Double.NaN),
        // The rate is 0.001 over the deviation, but for 1e-8.
        sampled("DpAdamWosm", (a, t) -> wosm(a, t), 0.001),
        sampled("SgdAdv", (a, t) -> sgdAdv(a, t), RATE * NOISE / SAMPLING_RATE),
        // The direction has length √d.
        new MethodCase(
            "DpZo",
            (a, t) -> dpZo(a, t),
            false,
            OptionalDouble.of(RATE * NOISE * Math.sqrt(MethodCase.ALL_WEIGHTS)),
            1),
        full("AdaMix", (a, t) -> adaMix(a, t, quantile(), OptionalInt.empty()), adaMixNoise()),
        full("AdaMix of fixed clip norm", (a, t) -> adaMix(a, t, fixed(), all(6)), adaMixNoise()),
        new MethodCase(
            "AdaMix projected",
            (a, t) -> adaMix(a, t, quantile(), all(DIRECTIONS)),
            false,
            OptionalDouble.of(adaMixNoise()),
            DIRECTIONS * Fixture.CLASSES));
  }

  private static MethodCase full(
      String name, BiFunction<Adjacency, Integer, TrainingMethod> make, double deviation) {
    return new MethodCase(name, make, false, deviation(deviation), MethodCase.ALL_WEIGHTS);
  }

  private static MethodCase sampled(
      String name, BiFunction<Adjacency, Integer, TrainingMethod> make, double deviation) {
    return new MethodCase(name, make, true, deviation(deviation), MethodCase.ALL_WEIGHTS);
  }

  private static OptionalDouble deviation(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** AdaMix's Theorem 3: decay towards the start, 2η/(t + 1) with η = N/λ, the weighted average. */
  static Restraint theorem3(double weightDecay, double radius) {
    return new Restraint(weightDecay, true, radius, Restraint.Schedule.INVERSE, true);
  }

  static NoisyGd noisyGd(
      Adjacency adjacency, int steps, Optional<LinearModel> start, Restraint restraint) {
    return new NoisyGd(
        new NoisyGd.Settings(
            RATE,
            steps,
            0.9,
            false,
            ClipNorm.of(CLIP),
            NoiseMultiplier.of(SIGMA),
            adjacency,
            PUBLIC_ROWS,
            new SoftmaxLoss(),
            Fixture.CLASSES,
            start,
            restraint));
  }

  static NoisyGradient gradient(Adjacency adjacency, double samplingRate) {
    return new NoisyGradient(
        ClipNorm.of(CLIP),
        NoiseMultiplier.of(SIGMA),
        samplingRate,
        adjacency,
        PUBLIC_ROWS,
        new SoftmaxLoss(),
        Fixture.CLASSES);
  }

  static DpSgd dpSgd(Adjacency adjacency, int steps, double samplingRate) {
    return new DpSgd(
        new DpSgd.Settings(
            RATE, steps, 0.9, false, gradient(adjacency, samplingRate), Optional.empty()));
  }

  static DpAdam dpAdam(Adjacency adjacency, int steps, double samplingRate) {
    return new DpAdam(DpAdam.Settings.of(0.05, steps, gradient(adjacency, samplingRate)));
  }

  static DpAdamWosm wosm(Adjacency adjacency, int steps) {
    return new DpAdamWosm(
        new DpAdamWosm.Settings(steps, gradient(adjacency, SAMPLING_RATE), Optional.empty()));
  }

  static SgdAdv sgdAdv(Adjacency adjacency, int steps) {
    return new SgdAdv(new SgdAdv.Settings(RATE, steps, 0.1, gradient(adjacency, SAMPLING_RATE)));
  }

  static DpZo dpZo(Adjacency adjacency, int steps) {
    return new DpZo(
        new DpZo.Settings(
            RATE,
            steps,
            0.01,
            ClipNorm.of(CLIP),
            NoiseMultiplier.of(SIGMA),
            77,
            adjacency,
            PUBLIC_ROWS,
            new SoftmaxLoss(),
            Fixture.CLASSES,
            Optional.empty()));
  }

  /** η·στ/(τN). */
  private static double adaMixNoise() {
    return RATE * SIGMA / PUBLIC_ROWS;
  }

  static ClipRule quantile() {
    return new ClipRule.Quantile(0.9);
  }

  static ClipRule fixed() {
    return new ClipRule.Fixed(ClipNorm.of(CLIP));
  }

  private static OptionalInt all(int directions) {
    return OptionalInt.of(directions);
  }

  static AdaMix adaMix(Adjacency adjacency, int steps, ClipRule clip, OptionalInt directions) {
    return new AdaMix(
        new AdaMix.Settings(
            RATE,
            steps,
            0,
            clip,
            directions,
            true,
            0.01,
            NoiseMultiplier.of(SIGMA),
            adjacency,
            PUBLIC_ROWS,
            new SoftmaxLoss(),
            Fixture.CLASSES),
        publicRows(),
        start().orElseThrow());
  }

  /** Four rows a class. */
  static PublicRows publicRows() {
    int rows = 4 * Fixture.CLASSES;
    float[][] values = Problem.normalRows(new SplittableRandom(31), rows, MethodCase.FEATURES);
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      labels[i] = i % Fixture.CLASSES;
    }
    return new PublicRows(Problem.blocks(values, labels));
  }

  static Optional<LinearModel> start() {
    double[] weights = Problem.weights(new SplittableRandom(32), MethodCase.ALL_WEIGHTS);
    for (int i = 0; i < weights.length; i++) {
      weights[i] *= 0.3;
    }
    return Optional.of(new LinearModel(MethodCase.FEATURES, Fixture.CLASSES, weights));
  }
}
