package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.LeadingDirections;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.UniformStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each method against its pseudocode, written out once more with nothing but loops. */
class MethodReferenceTest {
  private static final int STEPS = 25;
  private static final int FEATURES = MethodCase.FEATURES;
  private static final int CLASSES = Fixture.CLASSES;
  private static final int LENGTH = MethodCase.ALL_WEIGHTS;
  private static final double C = MethodCases.CLIP;
  private static final double SIGMA = MethodCases.SIGMA;
  private static final double ETA = MethodCases.RATE;
  private static final double N = MethodCases.PUBLIC_ROWS;
  private static final double Q = MethodCases.SAMPLING_RATE;

  /** Sums in another order: 60 rows and 25 steps of rounding, far below any slip. */
  private static final double TOLERANCE = 1e-9;

  private static final Adjacency NEIGHBOURS = Adjacency.ADD_REMOVE;

  private final RowBlocks rows =
      TestRows.blocks(
          TestRows.normalRows(new SplittableRandom(41), 60, FEATURES),
          TestRows.labels(new SplittableRandom(42), 60, CLASSES));
  private final RowBlocks publicRows = MethodCases.publicRows().blocks();
  private final SeededNoise noise = new SeededNoise(77);

  private double[] trained(Training method) {
    return trained(method, Engine.REFERENCE);
  }

  private double[] trained(Training method, ClippedSums engine) {
    TrainingAttempt run =
        TrainingAttempt.fresh(engine, new SeededNoise(77), Fixture.STREAMS, new RecordingJournal());
    return method
        .train(() -> new Charge("x", method.mechanism()), new PrivateRows(rows), run)
        .weights();
  }

  /** The gradients of all sampled rows, clipped and summed; the clip norm has its margin. */
  private static double[] clippedSum(RowBlocks rows, double[] w, double clip, boolean[] sampled) {
    double[] sum = new double[LENGTH];
    RowBlocks.Block block = rows.blocks().get(0);
    for (int i = 0; i < block.rows(); i++) {
      if (sampled[i]) {
        double[] g = gradient(block, i, w);
        double factor = Math.min(1, clip * (1 - 2.65e-4) / norm(g));
        for (int k = 0; k < LENGTH; k++) {
          sum[k] += factor * g[k];
        }
      }
    }
    return sum;
  }

  private static double[] gradient(RowBlocks.Block block, int row, double[] w) {
    double[] p = new double[CLASSES];
    double total = 0;
    for (int c = 0; c < CLASSES; c++) {
      double z = 0;
      for (int j = 0; j < FEATURES; j++) {
        z += block.features()[row * FEATURES + j] * w[j * CLASSES + c];
      }
      p[c] = Math.exp(z);
      total += p[c];
    }
    double[] g = new double[LENGTH];
    for (int j = 0; j < FEATURES; j++) {
      for (int c = 0; c < CLASSES; c++) {
        double residual = p[c] / total - (block.labels()[row] == c ? 1 : 0);
        g[j * CLASSES + c] = block.features()[row * FEATURES + j] * residual;
      }
    }
    return g;
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
  }

  private double[] noisySum(int step, double[] w, boolean[] sampled) {
    double[] g = clippedSum(rows, w, C, sampled);
    NormalStream z = noise.stream(Fixture.STREAMS.step(step));
    for (int k = 0; k < LENGTH; k++) {
      g[k] += SIGMA * C * z.next();
    }
    return g;
  }

  private static boolean[] everyRow() {
    boolean[] all = new boolean[60];
    Arrays.fill(all, true);
    return all;
  }

  private boolean[] sample(int step) {
    UniformStream bits = noise.bits(Fixture.STREAMS.step(step, Purpose.SAMPLE));
    boolean[] sampled = new boolean[60];
    for (int i = 0; i < 60; i++) {
      sampled[i] = (bits.next() >>> 11) * 0x1p-53 < Q;
    }
    return sampled;
  }

  private static void assertClose(double[] actual, double[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int k = 0; k < expected.length; k++) {
      assertThat(actual[k]).isCloseTo(expected[k], within(TOLERANCE));
    }
  }

  @Test
  void noisyGd() {
    double[] w = new double[LENGTH];
    double[] v = new double[LENGTH];
    for (int t = 1; t <= STEPS; t++) {
      double[] g = noisySum(t, w, everyRow());
      for (int k = 0; k < LENGTH; k++) {
        v[k] = 0.9 * v[k] + g[k] / N;
        w[k] -= ETA * v[k];
      }
    }
    assertClose(
        trained(MethodCases.noisyGd(NEIGHBOURS, STEPS, Optional.empty(), Restraint.NONE)), w);
  }

  /** Without options nothing may change, so the same sums give the same bits. */
  @ParameterizedTest
  @EnumSource(Engine.class)
  void noisyGdWithoutOptions_isLinearScalingsAlgorithmBitForBit(Engine engine) {
    double[] w = new double[LENGTH];
    double[] v = new double[LENGTH];
    double[] g = new double[LENGTH];
    try (ClippedSum sum =
        engine
            .sums(RowOrders.seeded(1))
            .open(new PrivateRows(rows), new SoftmaxLoss(), CLASSES, ClipNorm.of(C))) {
      for (int t = 1; t <= STEPS; t++) {
        sum.compute(w, g);
        noise.stream(Fixture.STREAMS.step(t)).addTo(g, SIGMA * C);
        for (int k = 0; k < LENGTH; k++) {
          v[k] = 0.9 * v[k] + g[k] / N;
          w[k] -= ETA * v[k];
        }
      }
    }
    assertThat(
            trained(
                MethodCases.noisyGd(NEIGHBOURS, STEPS, Optional.empty(), Restraint.NONE),
                engine.sums(RowOrders.seeded(1))))
        .isEqualTo(w);
  }

  /** As the paper writes it, along the sum: η_t = 2/(λ(t + 1)). */
  @Test
  void theorem3OfAdaMix() {
    double lambda = 10;
    double radius = 0.9;
    double[] reference = MethodCases.start().orElseThrow().weights();
    double[] w = reference.clone();
    double[] average = new double[LENGTH];
    boolean projected = false;
    for (int t = 1; t <= STEPS; t++) {
      double[] g = noisySum(t, w, everyRow());
      for (int k = 0; k < LENGTH; k++) {
        average[k] += 2.0 * t * w[k] / (STEPS * (STEPS + 1));
        w[k] -= 2 / (lambda * (t + 1)) * (g[k] + lambda * (w[k] - reference[k]));
      }
      double norm = norm(w);
      if (norm > radius) {
        projected = true;
        for (int k = 0; k < LENGTH; k++) {
          w[k] *= radius / norm;
        }
      }
    }
    assertThat(projected).isTrue();
    Training method =
        new NoisyGd(
                "noisy-gd",
                NoisyGradient.ofAllRows(ClipNorm.of(C)),
                0,
                false,
                MethodCases.theorem3(lambda, radius),
                Start.zero())
            .training(
                Fixture.problem(NEIGHBOURS, (long) N),
                Fixture.run(N / lambda, STEPS, SIGMA),
                new PublicInputs(Optional.empty(), MethodCases.start()));
    assertClose(trained(method), average);
  }

  @Test
  void dpSgd() {
    double[] w = new double[LENGTH];
    double[] v = new double[LENGTH];
    for (int t = 1; t <= STEPS; t++) {
      double[] g = noisySum(t, w, sample(t));
      for (int k = 0; k < LENGTH; k++) {
        v[k] = 0.9 * v[k] + g[k] / (Q * N);
        w[k] -= ETA * v[k];
      }
    }
    assertClose(trained(MethodCases.dpSgd(NEIGHBOURS, STEPS, Q)), w);
  }

  @Test
  void dpSgdOfAllRows_isNoisyGdBitForBit() {
    assertThat(trained(MethodCases.dpSgd(NEIGHBOURS, STEPS, 1)))
        .isEqualTo(
            trained(MethodCases.noisyGd(NEIGHBOURS, STEPS, Optional.empty(), Restraint.NONE)));
  }

  @Test
  void dpAdam() {
    double[] w = new double[LENGTH];
    double[] m = new double[LENGTH];
    double[] v = new double[LENGTH];
    for (int t = 1; t <= STEPS; t++) {
      double[] g = noisySum(t, w, sample(t));
      for (int k = 0; k < LENGTH; k++) {
        double mean = g[k] / (Q * N);
        m[k] = 0.9 * m[k] + 0.1 * mean;
        v[k] = 0.999 * v[k] + 0.001 * mean * mean;
        double corrected = m[k] / (1 - Math.pow(0.9, t));
        w[k] -= 0.05 * corrected / (Math.sqrt(v[k] / (1 - Math.pow(0.999, t))) + 1e-8);
      }
    }
    assertClose(trained(MethodCases.dpAdam(NEIGHBOURS, STEPS, Q)), w);
  }

  @Test
  void dpAdamWithoutSecondMoments() {
    double[] w = new double[LENGTH];
    double[] m = new double[LENGTH];
    double alpha = 0.001 / (SIGMA * C / (Q * N) + 1e-8);
    for (int t = 1; t <= STEPS; t++) {
      double[] g = noisySum(t, w, sample(t));
      for (int k = 0; k < LENGTH; k++) {
        m[k] = 0.9 * m[k] + 0.1 * g[k] / (Q * N);
        w[k] -= alpha * m[k] / (1 - Math.pow(0.9, t));
      }
    }
    assertClose(trained(MethodCases.wosm(NEIGHBOURS, STEPS)), w);
  }

  @Test
  void adaMix() {
    assertClose(
        trained(MethodCases.adaMix(NEIGHBOURS, STEPS, MethodCases.quantile(), OptionalInt.empty())),
        adaMixByHand(OptionalInt.empty()));
  }

  @Test
  void adaMixProjected() {
    OptionalInt four = OptionalInt.of(4);
    assertClose(
        trained(MethodCases.adaMix(NEIGHBOURS, STEPS, MethodCases.quantile(), four)),
        adaMixByHand(four));
  }

  /** The basis itself is tested where it is made. */
  private double[] adaMixByHand(OptionalInt directions) {
    double[] w = MethodCases.start().orElseThrow().weights();
    RowBlocks.Block block = publicRows.blocks().get(0);
    for (int t = 1; t <= STEPS; t++) {
      double[] publicSum = new double[LENGTH];
      double[] norms = new double[block.rows()];
      for (int i = 0; i < block.rows(); i++) {
        double[] g = gradient(block, i, w);
        norms[i] = norm(g);
        for (int k = 0; k < LENGTH; k++) {
          publicSum[k] += g[k];
        }
      }
      Arrays.sort(norms);
      // 0.9 of the way from the first to the last of 12.
      double tau = norms[9] + (0.9 * 11 - 9) * (norms[10] - norms[9]);
      double[] g = clippedSum(rows, w, tau, everyRow());
      NormalStream z = noise.stream(Fixture.STREAMS.step(t));
      if (directions.isPresent()) {
        LeadingDirections basis =
            LeadingDirections.of(publicSum, FEATURES, CLASSES, directions.getAsInt());
        double[] coordinates = basis.project(g, CLASSES);
        for (int k = 0; k < coordinates.length; k++) {
          coordinates[k] += SIGMA * tau * z.next();
        }
        basis.lift(coordinates, CLASSES, g);
      } else {
        for (int k = 0; k < LENGTH; k++) {
          g[k] += SIGMA * tau * z.next();
        }
      }
      for (int k = 0; k < LENGTH; k++) {
        w[k] -= ETA / (tau * N) * (publicSum[k] + g[k] + 0.01 * w[k]);
      }
    }
    return w;
  }
}
