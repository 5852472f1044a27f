package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.score.Metric;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;

/** SgdAdv and DP-ZO against their pseudocode. */
class SgdAdvTest {
  private static final int P = BinaryProblem.FEATURES;

  /** Summing in the same order: nothing but a few roundings differ. */
  @Test
  void sgdAdv_fallsByTheRootOfTheStep() {
    Training method = MethodCases.sgdAdv(Adjacency.ADD_REMOVE, 20);
    PrivateRows rows = new PrivateRows(Fixture.easyRows(60, MethodCase.FEATURES));
    NoisyGradient gradient = MethodCases.gradient(MethodCases.SAMPLING_RATE);
    SeededNoise noise = new SeededNoise(2);
    double[] w = new double[MethodCase.ALL_WEIGHTS];
    double[] g = new double[w.length];
    try (ClippedSum sum =
        Engine.REFERENCE.open(rows, new SoftmaxLoss(), Fixture.CLASSES, gradient.clipNorm())) {
      for (int t = 1; t <= 20; t++) {
        sum.compute(
            w,
            gradient.clipNorm(),
            RowSample.poisson(
                MethodCases.SAMPLING_RATE, noise.bits(Fixture.STREAMS.step(t, Purpose.SAMPLE))),
            g);
        noise.stream(Fixture.STREAMS.step(t)).addTo(g, MethodCases.SIGMA * MethodCases.CLIP);
        for (int i = 0; i < w.length; i++) {
          double mean = g[i] / (MethodCases.SAMPLING_RATE * MethodCases.PUBLIC_ROWS);
          w[i] -= MethodCases.RATE / Math.sqrt(t) * (mean + 0.1 * w[i]);
        }
      }
    }
    double[] weights = BinaryProblem.model(method, rows, new SeededNoise(2));
    for (int i = 0; i < w.length; i++) {
      assertThat(weights[i]).isCloseTo(w[i], within(1e-12));
    }
  }

  /** Every direction has length √d, so along a linear loss the slope is the gradient's. */
  @Test
  void dpZo_stepsAlongPublicDirectionsByNoisySlopes() {
    Training method = MethodCases.dpZo(Adjacency.ADD_REMOVE, 3);
    PrivateRows rows = new PrivateRows(Fixture.easyRows(60, MethodCase.FEATURES));
    SeededNoise noise = new SeededNoise(2);
    SeededNoise directions = new SeededNoise(77);
    int d = MethodCase.ALL_WEIGHTS;
    double[] w = new double[d];
    var block = rows.blocks().blocks().get(0);
    for (int t = 1; t <= 3; t++) {
      double[] z = new double[d];
      directions.stream(new StreamId("directions", 0, 0, t)).addTo(z, 1);
      double norm = MathArrays.distance(z, new double[d]);
      double[] plus = new double[d];
      double[] minus = new double[d];
      for (int i = 0; i < d; i++) {
        z[i] *= Math.sqrt(d) / norm;
        plus[i] = w[i] + 0.01 * z[i];
        minus[i] = w[i] - 0.01 * z[i];
      }
      double[] sum = {0};
      for (int i = 0; i < block.rows(); i++) {
        double slope =
            (softmax(block.features(), i, block.labels()[i], plus)
                    - softmax(block.features(), i, block.labels()[i], minus))
                / 0.02;
        double most = MethodCases.CLIP * (1 - 2.65e-4);
        sum[0] += Math.max(-most, Math.min(most, slope));
      }
      noise.stream(Fixture.STREAMS.step(t)).addTo(sum, MethodCases.SIGMA * MethodCases.CLIP);
      for (int i = 0; i < d; i++) {
        w[i] -= MethodCases.RATE * z[i] * sum[0] / MethodCases.PUBLIC_ROWS;
      }
    }
    double[] weights = BinaryProblem.model(method, rows, new SeededNoise(2));
    for (int i = 0; i < d; i++) {
      assertThat(weights[i]).isCloseTo(w[i], within(1e-10));
    }
  }

  private static double softmax(float[] rows, int row, int label, double[] w) {
    double[] z = new double[Fixture.CLASSES];
    for (int j = 0; j < MethodCase.FEATURES; j++) {
      for (int c = 0; c < z.length; c++) {
        z[c] += rows[row * MethodCase.FEATURES + j] * w[j * z.length + c];
      }
    }
    double sum = 0;
    for (double logit : z) {
      sum += Math.exp(logit);
    }
    return Math.log(sum) - z[label];
  }

  @Test
  void dpZo_learnsWithoutGradients() throws Exception {
    var rows = BinaryProblem.rows(1, 2000);
    Training method =
        new DpZo(ClipNorm.of(1), 1e-3, 5, Start.zero())
            .training(
                Fixture.problem(new LogisticLoss(), 2, Adjacency.ADD_REMOVE, 2000),
                Fixture.run(0.3, 400, 10),
                PublicInputs.NONE);
    var model =
        method.train(BinaryProblem.charged(method), new PrivateRows(rows), Fixture.seeded());
    assertThat(model.features()).isEqualTo(P);
    // One label in ten is wrong.
    assertThat(Metric.ACCURACY.of(model.linear(), new LogisticLoss(), new PublicRows(rows)))
        .isGreaterThan(0.85);
  }
}
