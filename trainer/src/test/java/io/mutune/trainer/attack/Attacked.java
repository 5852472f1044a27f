package io.mutune.trainer.attack;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.SeededNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Runs of {@link NoisyGd} under attack, with whatever is wrong with them brought in from here. */
final class Attacked {
  static final Loss LOSS = new SoftmaxLoss();
  static final double MOMENTUM = 0.9;

  private final int classes;
  private final double clip;
  private final double sigma;
  private final int steps;
  private ClippedSums engine = Engine.REFERENCE;
  private NoiseSource noise = new SeededNoise(1);
  private int trial = 1;
  private long publicRows = 500;

  Attacked(int classes, double clip, double sigma, int steps) {
    this.classes = classes;
    this.clip = clip;
    this.sigma = sigma;
    this.steps = steps;
  }

  Attacked engine(ClippedSums other) {
    engine = other;
    return this;
  }

  Attacked noise(NoiseSource other) {
    noise = other;
    return this;
  }

  Attacked trial(int number) {
    trial = number;
    return this;
  }

  Attacked publicRows(long rows) {
    publicRows = rows;
    return this;
  }

  /** All that a run releases. */
  record Released(LinearModel model, ReleasedDescent descent) {}

  /** What a run leaves. */
  record Ended(List<Iterate> iterates, LinearModel model) {}

  static Ended train(
      Training method, KnownRows rows, ClippedSums engine, NoiseSource noise, int trial) {
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
    TrainedModel model =
        method.train(
            () -> new Charge("trial", method.mechanism()),
            rows.open(),
            TrainingAttempt.fresh(engine, noise, new AttemptStreams("study", trial, 1), journal));
    return new Ended(iterates, model.linear());
  }

  Released run(KnownRows rows) {
    Problem problem =
        new Problem(
            LOSS,
            classes,
            new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE),
            publicRows);
    NoisyGd described = new NoisyGd(ClipNorm.of(clip), MOMENTUM, true);
    Training method =
        described.training(
            problem, new Run(0.5, steps, NoiseMultiplier.of(sigma)), PublicInputs.NONE);
    Ended ended = train(method, rows, engine, noise, trial);
    return new Released(
        ended.model(),
        ReleasedDescent.of(
            ended.iterates(),
            new double[rows.columns() * classes],
            NoiseMultiplier.of(sigma),
            described.velocity(problem, PublicInputs.NONE, new double[0]).orElseThrow()));
  }

  /** Rows of one class around each of {@code classes} features, of about norm 1. */
  static KnownRows easyRows(int count, int columns, int classes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] values = new float[count][columns];
    int[] labels = random.ints(count, 0, classes).toArray();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < columns; j++) {
        values[i][j] = (float) (random.nextGaussian() / (2 * Math.sqrt(columns)));
      }
      values[i][labels[i]] += 0.8f;
    }
    return new KnownRows(columns, values, labels);
  }

  static boolean[] coins(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean[] coins = new boolean[count];
    for (int i = 0; i < count; i++) {
      coins[i] = random.nextBoolean();
    }
    return coins;
  }
}
