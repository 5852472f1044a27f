package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.TranscriptNoise.Answer;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.util.Optional;
import org.apache.commons.math3.util.MathArrays;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** PPGD and AGD against their pseudocode, and what their answers cost. */
class AdaptiveReferenceTest {
  private static final PrivateRows ROWS = BinaryProblem.privateRows((int) ClassicMethods.ROWS);
  private static final int P = BinaryProblem.FEATURES;

  /**
   * Gaussian steps of which every one is measured: Σ(difference/deviation)² ≤ μ². Rows of length 2
   * are clipped at every step, and pull in opposite ways while their logits are below 0.6.
   */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void ppgdsAnswers_tellNeighboursApartByNoMoreThanItsMu(Adjacency adjacency) {
    Training method = ClassicMethods.ppgd(adjacency);
    boolean replaced = adjacency == Adjacency.REPLACE_ONE;
    PrivateRows one = BinaryProblem.changed(ROWS, replaced, BinaryProblem.longRow(1), 0);
    PrivateRows other =
        replaced ? BinaryProblem.changed(ROWS, true, BinaryProblem.longRow(1), 1) : ROWS;
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(2));
    method.train(
        BinaryProblem.charged(method), one, BinaryProblem.run(noise, new RecordingJournal()));
    TranscriptNoise ofOther = TranscriptNoise.following(noise, new SeededNoise(2));
    method.train(
        BinaryProblem.charged(method), other, BinaryProblem.run(ofOther, new RecordingJournal()));
    double squares = 0;
    for (int t = 0; t < noise.answers().size(); t++) {
      Answer a = noise.answers().get(t);
      double apart = MathArrays.distance(a.exact(), ofOther.answers().get(t).exact());
      squares += apart * apart / (a.deviation() * a.deviation());
    }
    double mu = ((Gaussian) method.mechanism()).sensitivity();
    assertThat(Math.sqrt(squares)).isBetween(0.8 * mu, mu);
  }

  /** Summing in another order is off by some 1e-15 a step. */
  @Test
  void ppgd_followsThePapersPseudocodeOverAllRows() {
    Training method = ClassicMethods.ppgd(Adjacency.REPLACE_ONE);
    SeededNoise noise = new SeededNoise(9);
    double[] w = new double[P];
    double rho = 0.002;
    double clip = 0.8;
    double left = 0.4 * 0.4 / 2 * (1 - 0x1p-40);
    int t = 0;
    while (left >= rho) {
      t++;
      double[] g = sum(ROWS, clip, w);
      double deviation = 2 * clip / Math.sqrt(2 * rho);
      noise.stream(Fixture.STREAMS.step(t)).addTo(g, deviation);
      for (int j = 0; j < P; j++) {
        w[j] -= 0.5 * (g[j] / ClassicMethods.ROWS + 0.01 * w[j]);
      }
      left -= rho;
      PrivateRows shown = new PrivateRows(BinaryProblem.publicRows(ClassicMethods.SHOWN).blocks());
      double norm = MathArrays.distance(sum(shown, 1e9, w), new double[P]) / ClassicMethods.SHOWN;
      rho *= 10 * norm < deviation / ClassicMethods.ROWS * Math.sqrt(P) ? 1.3 : 1;
      clip *= 3 * norm < clip ? 0.7 : 1;
    }
    double[] weights = BinaryProblem.model(method, ROWS, new SeededNoise(9));
    assertThat(t).isGreaterThan(5);
    for (int j = 0; j < P; j++) {
      assertThat(weights[j]).isCloseTo(w[j], within(1e-10));
    }
  }

  /** Its total is rounded down, so the whole of what is charged would not fit. */
  @Test
  void ppgd_mayTakeItsWholeBudgetInOneStep() {
    Training method =
        new Ppgd(ClassicMethods.adaptation(1, Optional.empty()))
            .training(
                ClassicMethods.problem(ClassicMethods.SQUARED, Adjacency.ADD_REMOVE),
                Fixture.run(1, 1, 2.5),
                ClassicMethods.shown());
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(2));
    method.train(
        BinaryProblem.charged(method), ROWS, BinaryProblem.run(noise, new RecordingJournal()));
    double mu = ((Gaussian) method.mechanism()).sensitivity();
    assertThat(noise.answers())
        .singleElement()
        .satisfies(answer -> assertThat(0.8 / answer.deviation()).isBetween(0.999999 * mu, mu));
  }

  private static double[] sum(PrivateRows rows, double clip, double[] w) {
    double[] sum = new double[P];
    try (ClippedSum clipped =
        Engine.REFERENCE.open(rows, ClassicMethods.SQUARED, 2, ClipNorm.of(clip))) {
      clipped.compute(w, sum);
    }
    return sum;
  }

  /** The modes of Lee and Kifer's Algorithm 1, release by release; tolerance as above. */
  @Test
  void agd_followsThePapersPseudocode() {
    Training method = ClassicMethods.agd(Adjacency.REPLACE_ONE);
    SeededNoise noise = new SeededNoise(9);
    double[] w = new double[P];
    double left = 0.5;
    double rho = 0.02;
    double greatestStep = 1;
    double chosenMost = 0;
    int moves = 0;
    int t = 0;
    int refinements = 0;
    outer:
    while (left >= rho) {
      t++;
      left -= rho;
      double[] g = agdSum(w);
      noise.stream(Fixture.STREAMS.step(t)).addTo(g, 2 * 0.8 / Math.sqrt(2 * rho));
      while (true) {
        if (left < 0.01) {
          break outer;
        }
        t++;
        left -= 0.01;
        double[] direction = new double[P];
        for (int j = 0; j < P; j++) {
          direction[j] = g[j] + 3 * w[j];
        }
        double norm = MathArrays.distance(direction, new double[P]);
        UniformStream bits = noise.bits(Fixture.STREAMS.step(t, Purpose.SAMPLE));
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k <= 10; k++) {
          double[] candidate = new double[P];
          double squares = 0;
          for (int j = 0; j < P; j++) {
            candidate[j] = w[j] - greatestStep * k / 10 * direction[j] / norm;
            squares += candidate[j] * candidate[j];
          }
          double uniform = ((bits.next() >>> 11) + 0.5) * 0x1p-53;
          double noisy =
              (losses(candidate) + 1.5 * squares) * Math.sqrt(0.08) / 6
                  + Math.log(-Math.log(uniform));
          if (noisy < least) {
            least = noisy;
            best = k;
          }
        }
        if (best > 0) {
          for (int j = 0; j < P; j++) {
            w[j] -= greatestStep * best / 10 * direction[j] / norm;
          }
          chosenMost = Math.max(chosenMost, greatestStep * best / 10);
          moves++;
          if (moves == 3) {
            greatestStep = 1.1 * chosenMost;
            chosenMost = 0;
            moves = 0;
          }
          break;
        }
        if (left < 0.5 * rho) {
          break outer;
        }
        t++;
        left -= 0.5 * rho;
        refinements++;
        double[] again = agdSum(w);
        noise.stream(Fixture.STREAMS.step(t)).addTo(again, 2 * 0.8 / Math.sqrt(rho));
        for (int j = 0; j < P; j++) {
          g[j] = (g[j] + 0.5 * again[j]) / 1.5;
        }
        rho *= 1.5;
      }
    }
    double[] weights = BinaryProblem.model(method, ROWS, new SeededNoise(9));
    assertThat(refinements).isPositive();
    for (int j = 0; j < P; j++) {
      assertThat(weights[j]).isCloseTo(w[j], within(1e-10));
    }
    assertThat(method.mechanism()).isEqualTo(TruncatedConcentrated.ofZeroConcentrated(0.5, 1));
  }

  private static double[] agdSum(double[] w) {
    double[] sum = new double[P];
    try (ClippedSum clipped =
        Engine.REFERENCE.open(ROWS, ClassicMethods.LOGISTIC, 2, ClipNorm.of(0.8))) {
      clipped.compute(w, sum);
    }
    return sum;
  }

  private static double losses(double[] w) {
    double sum = 0;
    var block = ROWS.blocks().blocks().get(0);
    for (int i = 0; i < block.rows(); i++) {
      double z = 0;
      for (int j = 0; j < P; j++) {
        z += block.features()[i * P + j] * w[j];
      }
      sum += Math.min(3 * (1 - 1e-6), Math.log1p(Math.exp(block.labels()[i] == 1 ? -z : z)));
    }
    return sum;
  }

  /** Weights 1, e, e² over their sum; χ² on 2 degrees. Fails by chance 1e-10 of the time. */
  @Test
  void gumbelNoise_choosesWithTheExponentialMechanismsProbabilities() {
    UniformStream bits = new SecureNoise().bits(new StreamId("gumbel", 1, 1, 1));
    double[] scores = {0, 1, 2};
    long[] counts = new long[3];
    int draws = 200_000;
    for (int i = 0; i < draws; i++) {
      counts[GumbelMax.choose(scores, bits)]++;
    }
    double total = 1 + Math.E + Math.E * Math.E;
    double squares = 0;
    for (int k = 0; k < 3; k++) {
      double expected = draws * Math.exp(k) / total;
      squares += (counts[k] - expected) * (counts[k] - expected) / expected;
    }
    assertThat(squares).isLessThan(ChiSquaredDistribution.of(2).inverseSurvivalProbability(1e-10));
  }

  /** The least over λ‖w − w_T‖² and the public losses, where a small step in any way is uphill. */
  @Test
  void modelReuse_isNearItsMinimum() {
    var shown = BinaryProblem.publicRows(ClassicMethods.SHOWN);
    LinearModel released = new LinearModel(P, 1, new double[] {0.5, -1, 0.25, 2});
    for (double weight : new double[] {0.01, 0.1, 1}) {
      Problem problem = ClassicMethods.problem(ClassicMethods.LOGISTIC, Adjacency.REPLACE_ONE);
      double[] w = ModelReuse.fitted(released, shown, problem, weight).weights();
      double[] g = new double[P];
      new PublicGradients(shown, ClassicMethods.LOGISTIC, 2).compute(w, g);
      for (int j = 0; j < P; j++) {
        double slope = g[j] / ClassicMethods.SHOWN + 2 * weight * (w[j] - released.weights()[j]);
        // 2000 steps of size 1/(λt) leave about 1/t² of the start's slope, which is at most 1.
        assertThat(slope).isCloseTo(0, within(1e-3));
      }
    }
  }
}
