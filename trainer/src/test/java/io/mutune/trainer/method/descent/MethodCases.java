package io.mutune.trainer.method.descent;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * Every method that the conformance tests are run on: a new one gets its line here. {@link
 * External} has none: its sums meet their noise in another process, where nothing here sees them
 * apart; {@link ExternalTrainingTest} holds it to the model of {@link DpSgd} instead, of the same
 * noise.
 */
public final class MethodCases {
  static final double SIGMA = 3;
  static final double CLIP = 0.5;
  static final double RATE = 0.7;
  static final double SAMPLING_RATE = 0.3;
  static final long PUBLIC_ROWS = 50;
  static final int DIRECTIONS = 4;

  /** The deviation of one noisy mean gradient over all rows. */
  private static final double NOISE = SIGMA * CLIP / PUBLIC_ROWS;

  private MethodCases() {}

  public static List<MethodCase> all() {
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
      String name, BiFunction<Adjacency, Integer, Training> make, double deviation) {
    return new MethodCase(name, make, false, deviation(deviation), MethodCase.ALL_WEIGHTS);
  }

  private static MethodCase sampled(
      String name, BiFunction<Adjacency, Integer, Training> make, double deviation) {
    return new MethodCase(name, make, true, deviation(deviation), MethodCase.ALL_WEIGHTS);
  }

  private static OptionalDouble deviation(double value) {
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** AdaMix's Theorem 3: decay towards the start, 2η/(t + 1) with η = N/λ, the weighted average. */
  static Restraint theorem3(double weightDecay, double radius) {
    return new Restraint(weightDecay, true, radius, Restraint.Schedule.INVERSE, true);
  }

  static Training noisyGd(
      Adjacency adjacency, int steps, Optional<LinearModel> start, Restraint restraint) {
    NoisyGradient gradient = NoisyGradient.ofAllRows(ClipNorm.of(CLIP));
    NoisyGd method = new NoisyGd("noisy-gd", gradient, 0.9, false, restraint, Start.zero());
    return made(method, adjacency, RATE, steps, new PublicInputs(Optional.empty(), start));
  }

  static Training made(TrainingMethod method, Adjacency adjacency, double rate, int steps) {
    return made(method, adjacency, rate, steps, PublicInputs.NONE);
  }

  private static Training made(
      TrainingMethod method, Adjacency adjacency, double rate, int steps, PublicInputs inputs) {
    return method.training(
        Fixture.problem(adjacency, PUBLIC_ROWS), Fixture.run(rate, steps, SIGMA), inputs);
  }

  static NoisyGradient gradient(double samplingRate) {
    return NoisyGradient.ofSamples(ClipNorm.of(CLIP), samplingRate);
  }

  static Training dpSgd(Adjacency adjacency, int steps, double samplingRate) {
    return made(
        new DpSgd(gradient(samplingRate), 0.9, false, Start.zero()), adjacency, RATE, steps);
  }

  static Training dpAdam(Adjacency adjacency, int steps, double samplingRate) {
    return made(DpAdam.of(gradient(samplingRate)), adjacency, 0.05, steps);
  }

  static Training wosm(Adjacency adjacency, int steps) {
    return made(new DpAdamWosm(gradient(SAMPLING_RATE), Start.zero()), adjacency, RATE, steps);
  }

  static Training sgdAdv(Adjacency adjacency, int steps) {
    return made(new SgdAdv(gradient(SAMPLING_RATE), 0.1), adjacency, RATE, steps);
  }

  static Training dpZo(Adjacency adjacency, int steps) {
    return made(new DpZo(ClipNorm.of(CLIP), 0.01, 77, Start.zero()), adjacency, RATE, steps);
  }

  /** η·στ/(τN). */
  private static double adaMixNoise() {
    return RATE * SIGMA / PUBLIC_ROWS;
  }

  public static ClipRule quantile() {
    return new ClipRule.Quantile(0.9);
  }

  static ClipRule fixed() {
    return new ClipRule.Fixed(ClipNorm.of(CLIP));
  }

  private static OptionalInt all(int directions) {
    return OptionalInt.of(directions);
  }

  static Training adaMix(Adjacency adjacency, int steps, ClipRule clip, OptionalInt directions) {
    return made(
        new AdaMix(clip, 0, directions, true, 0.01, Start.zero()),
        adjacency,
        RATE,
        steps,
        new PublicInputs(Optional.of(publicRows()), start()));
  }

  /** Four rows a class. */
  static PublicRows publicRows() {
    int rows = 4 * Fixture.CLASSES;
    float[][] values = TestRows.normalRows(new SplittableRandom(31), rows, MethodCase.FEATURES);
    int[] labels = new int[rows];
    for (int i = 0; i < rows; i++) {
      labels[i] = i % Fixture.CLASSES;
    }
    return new PublicRows(TestRows.blocks(values, labels));
  }

  static Optional<LinearModel> start() {
    double[] weights = TestRows.weights(new SplittableRandom(32), MethodCase.ALL_WEIGHTS);
    for (int i = 0; i < weights.length; i++) {
      weights[i] *= 0.3;
    }
    return Optional.of(new LinearModel(MethodCase.FEATURES, Fixture.CLASSES, weights));
  }
}
