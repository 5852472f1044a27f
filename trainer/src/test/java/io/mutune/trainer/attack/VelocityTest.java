package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.ReleasedSum;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.method.descent.AdaMix;
import io.mutune.trainer.method.descent.ClipRule;
import io.mutune.trainer.method.descent.DpAdam;
import io.mutune.trainer.method.descent.DpAdamWosm;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.method.descent.NoisyGradient;
import io.mutune.trainer.method.descent.Restraint;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Iterates give back the noise that was drawn, number by number, for every method whose velocity is
 * read: what the attacks and the detectors stand on. Seeded, so that every test repeats.
 */
class VelocityTest {
  private static final int CLASSES = 3;
  private static final int FEATURES = 8;
  private static final int STEPS = 6;
  private static final long PUBLIC_ROWS = 90;
  private static final double CLIP = 0.5;
  private static final NoiseMultiplier SIGMA = NoiseMultiplier.of(2);

  private final KnownRows rows = Attacked.easyRows(100, FEATURES, CLASSES, 5);
  private final double[] zero = new double[FEATURES * CLASSES];

  private Attacked.Ended run(Training method) {
    return Attacked.train(method, rows, Engine.REFERENCE, new SeededNoise(1), 1);
  }

  private LinearModel publicStart() {
    double[] weights = new double[zero.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.sin(i) / 3;
    }
    return new LinearModel(FEATURES, CLASSES, weights);
  }

  private void assertTellsTheNoise(ReleasedDescent told, int numbers) {
    assertThat(told.steps()).hasSize(STEPS).allMatch(ReleasedSum::exact);
    double[] residual =
        new NoiseResidual(rows, Attacked.LOSS, CLASSES, Engine.REFERENCE)
            .of(told, step -> RowSample.ALL);
    assertThat(residual).hasSize(STEPS * numbers);
    for (int step = 1; step <= STEPS; step++) {
      double[] drawn = new double[numbers];
      new SeededNoise(1).stream(new StreamId("study", 1, 1, step)).addTo(drawn, 1);
      for (int i = 0; i < numbers; i++) {
        assertThat(residual[(step - 1) * numbers + i])
            .as("step %d, number %d", step, i)
            .isCloseTo(drawn[i], Offset.offset(1e-8));
      }
    }
  }

  private static final Problem PROBLEM =
      new Problem(
          Attacked.LOSS,
          CLASSES,
          new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE),
          PUBLIC_ROWS);

  /** Runs a method, and reads its iterates as it says itself. */
  private ReleasedDescent told(TrainingMethod method, double rate, PublicInputs inputs) {
    Attacked.Ended run = run(method.training(PROBLEM, new Run(rate, STEPS, SIGMA), inputs));
    double[] start = inputs.start().map(LinearModel::weights).orElse(zero);
    return ReleasedDescent.of(
        run.iterates(), start, SIGMA, method.velocity(PROBLEM, inputs, start).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, Infinity, CONSTANT, false",
    "3, false, Infinity, CONSTANT, false",
    "3, true, 1.2, INVERSE, false",
    "3, true, 1.2, INVERSE, true"
  })
  void noisyGd_fromAPublicStartUnderAnyRestraint_tellsItsNoise(
      double decay,
      boolean towardsStart,
      double radius,
      Restraint.Schedule schedule,
      boolean mean) {
    Restraint restraint = new Restraint(decay, towardsStart, radius, schedule, mean);
    NoisyGd method =
        new NoisyGd(
            "noisy-gd",
            NoisyGradient.ofAllRows(ClipNorm.of(CLIP)),
            0.9,
            !mean,
            restraint,
            Start.zero());
    PublicInputs inputs = new PublicInputs(Optional.empty(), Optional.of(publicStart()));

    assertTellsTheNoise(told(method, 0.5, inputs), zero.length);
    Run once = new Run(0.5, STEPS, SIGMA);
    Attacked.Ended run = run(method.training(PROBLEM, once, inputs));
    Iterate last = run.iterates().get(STEPS - 1);
    assertThat(method.released(last, PROBLEM, once)).containsExactly(run.model().weights());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, FEATURES})
  void adaMix_tellsItsNoise_alongTheDirectionsThatItAsks(int directions) {
    PublicRows shown = Attacked.easyRows(20, FEATURES, CLASSES, 6).asPublic();
    OptionalInt kept = directions == 0 ? OptionalInt.empty() : OptionalInt.of(directions);
    AdaMix method = new AdaMix(new ClipRule.Quantile(0.9), 0.5, kept, true, 0.01, Start.zero());
    PublicInputs inputs = new PublicInputs(Optional.of(shown), Optional.of(publicStart()));

    assertTellsTheNoise(
        told(method, 0.5, inputs), (directions == 0 ? FEATURES : directions) * CLASSES);
  }

  /** A row's gradient counts with what is asked of it: none of it, where nobody asks there. */
  @Test
  void ofACanaryAcrossTheDirections_nothingIsTold() {
    PublicRows shown =
        new KnownRows(2, new float[][] {{1, 0}, {1, 0}, {1, 0}}, new int[] {0, 1, 2}).asPublic();
    AdaMix method =
        new AdaMix(new ClipRule.Fixed(ClipNorm.of(1)), 0, OptionalInt.of(1), true, 0, Start.zero());
    double[] weights = {1, 0, 0, 0, 0, 0};
    Velocity velocity = method.velocity(PROBLEM, Fixture.shown(shown), weights).orElseThrow();
    ReleasedSum told = velocity.releasedSum(weights, new double[6], Velocity.Parts.of(0, 1));

    assertThat(told.asked(new double[] {0, 0, 0, 1, -2, 1}))
        .containsExactly(new double[6], Offset.offset(1e-12));
    double[] along = {1, -2, 1, 0, 0, 0};
    assertThat(told.asked(along)).containsExactly(along, Offset.offset(1e-12));
  }

  @Test
  void adam_tellsItsNoise_whereAllRowsTakePart() {
    NoisyGradient all = NoisyGradient.ofAllRows(ClipNorm.of(CLIP));
    DpAdam adam = new DpAdam(all, 0.8, 0.99, 1e-8, Start.zero());
    assertTellsTheNoise(told(adam, 0.05, PublicInputs.NONE), zero.length);
    DpAdamWosm wosm = new DpAdamWosm(all, Start.zero());
    assertTellsTheNoise(told(wosm, 0.05, PublicInputs.NONE), zero.length);
  }

  /** Which rows a step had is secret, so that what is left is not noise alone. */
  @Test
  void ofSamples_aRowCountsWithItsShare_andNothingIsExact() {
    Velocity.OfMeans velocity =
        new Velocity.OfMeans(0.5, ClipNorm.of(CLIP), 0.25 * PUBLIC_ROWS, 0.25, 0, new double[0]);
    ReleasedSum told =
        velocity.releasedSum(zero, new double[zero.length], Velocity.Parts.of(0.5, 2));

    assertThat(told.exact()).isFalse();
    assertThat(told.parts()).isEqualTo(0.25 * 1.5);
    assertThat(told.squares()).isEqualTo(1.25);
  }
}
