package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.AdaMix;
import io.mutune.trainer.method.ClipRule;
import io.mutune.trainer.method.DpAdam;
import io.mutune.trainer.method.DpAdamWosm;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.NoisyGd;
import io.mutune.trainer.method.NoisyGradient;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.TrainingRun;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.ArrayList;
import java.util.List;
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

  private record Ended(List<Iterate> iterates, LinearModel model) {}

  private Ended run(TrainingMethod method) {
    List<Iterate> iterates = new ArrayList<>();
    StepJournal journal =
        new StepJournal() {
          @Override
          public void begin(int firstStep, int lastStep) {}

          @Override
          public void checkpoint(Iterate iterate) {
            iterates.add(iterate);
          }
        };
    LinearModel model =
        method.train(
            () -> new Charge("trial", method.mechanism()),
            rows.open(),
            TrainingRun.fresh(
                Engine.REFERENCE, new SeededNoise(1), new AttemptStreams("study", 1, 1), journal));
    return new Ended(iterates, model);
  }

  private LinearModel publicStart() {
    double[] weights = new double[zero.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.sin(i) / 3;
    }
    return new LinearModel(FEATURES, CLASSES, weights);
  }

  private void assertTellsTheNoise(ReleasedDescent told, int numbers) {
    assertThat(told.steps()).hasSize(STEPS).allMatch(ReleasedDescent.Told::exact);
    double[] residual = new NoiseResidual(rows, Attacked.LOSS, CLASSES, Engine.REFERENCE).of(told);
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

  private static NoisyGd.Settings restrained(Restraint restraint, LinearModel start) {
    return new NoisyGd.Settings(
        0.5,
        STEPS,
        0.9,
        !restraint.averaged(),
        ClipNorm.of(CLIP),
        SIGMA,
        Adjacency.ADD_REMOVE,
        PUBLIC_ROWS,
        Attacked.LOSS,
        CLASSES,
        Optional.of(start),
        restraint);
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
    double[] start = publicStart().weights();
    Ended run = run(new NoisyGd(restrained(restraint, publicStart())));

    assertTellsTheNoise(
        ReleasedDescent.of(
            run.iterates(),
            start,
            0.9,
            SIGMA,
            new Velocity.OfMeans(
                ClipNorm.of(CLIP),
                PUBLIC_ROWS,
                1,
                decay / PUBLIC_ROWS,
                towardsStart ? start : new double[0])),
        zero.length);
    assertThat(NoisyGd.released(run.iterates().get(STEPS - 1), 0.5, STEPS, 0.9, !mean, restraint))
        .containsExactly(run.model().weights());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, FEATURES})
  void adaMix_tellsItsNoise_alongTheDirectionsThatItAsks(int directions) {
    PublicRows shown = Attacked.easyRows(20, FEATURES, CLASSES, 6).asPublic();
    OptionalInt kept = directions == 0 ? OptionalInt.empty() : OptionalInt.of(directions);
    ClipRule clip = new ClipRule.Quantile(0.9);
    AdaMix method =
        new AdaMix(
            new AdaMix.Settings(
                0.5,
                STEPS,
                0.5,
                clip,
                kept,
                true,
                0.01,
                SIGMA,
                Adjacency.ADD_REMOVE,
                PUBLIC_ROWS,
                Attacked.LOSS,
                CLASSES),
            shown,
            publicStart());

    assertTellsTheNoise(
        ReleasedDescent.of(
            run(method).iterates(),
            publicStart().weights(),
            0.5,
            SIGMA,
            new Velocity.OfAdaMix(
                clip, kept, true, 0.01, PUBLIC_ROWS, shown, Attacked.LOSS, CLASSES)),
        (directions == 0 ? FEATURES : directions) * CLASSES);
  }

  /** A row's gradient counts with what is asked of it: none of it, where nobody asks there. */
  @Test
  void ofACanaryAcrossTheDirections_nothingIsTold() {
    PublicRows shown =
        new KnownRows(2, new float[][] {{1, 0}, {1, 0}, {1, 0}}, new int[] {0, 1, 2}).asPublic();
    Velocity.OfAdaMix velocity =
        new Velocity.OfAdaMix(
            new ClipRule.Fixed(ClipNorm.of(1)),
            OptionalInt.of(1),
            true,
            0,
            PUBLIC_ROWS,
            shown,
            Attacked.LOSS,
            CLASSES);
    double[] weights = {1, 0, 0, 0, 0, 0};
    ReleasedDescent.Told told =
        velocity.told(weights, new double[6], ReleasedDescent.Parts.of(0, 1));

    assertThat(told.asked(new double[] {0, 0, 0, 1, -2, 1}))
        .containsExactly(new double[6], Offset.offset(1e-12));
    double[] along = {1, -2, 1, 0, 0, 0};
    assertThat(told.asked(along)).containsExactly(along, Offset.offset(1e-12));
  }

  private static NoisyGradient gradient(double samplingRate) {
    return new NoisyGradient(
        ClipNorm.of(CLIP),
        SIGMA,
        samplingRate,
        Adjacency.ADD_REMOVE,
        PUBLIC_ROWS,
        Attacked.LOSS,
        CLASSES);
  }

  @Test
  void adam_tellsItsNoise_whereAllRowsTakePart() {
    DpAdam adam =
        new DpAdam(
            new DpAdam.Settings(0.05, STEPS, 0.8, 0.99, 1e-8, gradient(1), Optional.empty()));
    assertTellsTheNoise(
        ReleasedDescent.of(
            run(adam).iterates(),
            zero,
            0.8,
            SIGMA,
            new Velocity.OfMeans(ClipNorm.of(CLIP), PUBLIC_ROWS / (1 - 0.8), 1)),
        zero.length);
    double left = 1 - DpAdamWosm.MEAN_DECAY;
    assertTellsTheNoise(
        ReleasedDescent.of(
            run(new DpAdamWosm(new DpAdamWosm.Settings(STEPS, gradient(1), Optional.empty())))
                .iterates(),
            zero,
            DpAdamWosm.MEAN_DECAY,
            SIGMA,
            new Velocity.OfMeans(ClipNorm.of(CLIP), PUBLIC_ROWS / left, 1)),
        zero.length);
  }

  /** Which rows a step had is secret, so that what is left is not noise alone. */
  @Test
  void ofSamples_aRowCountsWithItsShare_andNothingIsExact() {
    Velocity.OfMeans velocity = new Velocity.OfMeans(ClipNorm.of(CLIP), 0.25 * PUBLIC_ROWS, 0.25);
    ReleasedDescent.Told told =
        velocity.told(zero, new double[zero.length], ReleasedDescent.Parts.of(0.5, 2));

    assertThat(told.exact()).isFalse();
    assertThat(told.parts()).isEqualTo(0.25 * 1.5);
    assertThat(told.squares()).isEqualTo(1.25);
  }
}
