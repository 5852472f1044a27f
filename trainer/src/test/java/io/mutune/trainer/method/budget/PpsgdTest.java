package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TranscriptNoise;
import io.mutune.trainer.method.TranscriptNoise.Answer;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.UniformStream;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;

class PpsgdTest {
  private static final int BATCH = 15;
  private static final double TOTAL = 0.02;
  private static final double FIRST = 2.1e-4;
  private static final PrivateRows ROWS = BinaryProblem.privateRows((int) ClassicMethods.ROWS);

  /**
   * Algorithm 1 read off the page in double, with ρ held at the greatest for which the theorem
   * holds. Summing in another order is off by some 1e-15 a step.
   */
  @Test
  void itFollowsThePapersPseudocode() {
    Ppsgd.Sampled method = ClassicMethods.ppsgd();
    SeededNoise noise = new SeededNoise(12);
    RowBlocks.Block rows = ROWS.blocks().blocks().get(0);
    RowBlocks.Block shown = BinaryProblem.publicRows(ClassicMethods.SHOWN).blocks().blocks().get(0);
    int m = (int) ClassicMethods.ROWS;
    int p = BinaryProblem.FEATURES;
    double[] w = new double[p];
    double rho = FIRST;
    double clip = 0.8;
    double left = TOTAL;
    int t = 0;
    while (left >= rho) {
      t++;
      UniformStream bits = noise.bits(Fixture.STREAMS.step(t, Purpose.SAMPLE));
      double[] g = new double[p];
      int wanted = BATCH;
      for (int i = 0; i < m && wanted > 0; i++) {
        if (bits.below(m - i) < wanted) {
          wanted--;
          double[] row = gradient(rows, i, w);
          double norm =
              Math.sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
          for (int j = 0; j < p; j++) {
            g[j] += row[j] * Math.min(1, clip * (1 - 2.65e-4) / norm);
          }
        }
      }
      double rhoOfSample = rho / (13 * ((double) BATCH / m) * ((double) BATCH / m));
      double deviation = Math.sqrt(2 * clip * clip / (BATCH * BATCH * rhoOfSample));
      for (int j = 0; j < p; j++) {
        g[j] /= BATCH;
      }
      noise.stream(Fixture.STREAMS.step(t)).addTo(g, deviation);
      for (int j = 0; j < p; j++) {
        w[j] -= 0.5 * (g[j] + 0.01 * w[j]);
      }
      left -= rho;
      double[] mean = new double[p];
      for (int i = 0; i < shown.rows(); i++) {
        double[] row = gradient(shown, i, w);
        for (int j = 0; j < p; j++) {
          mean[j] += row[j] / shown.rows();
        }
      }
      double norm = MathArrays.distance(mean, new double[p]);
      if (10 * norm < deviation * Math.sqrt(p)) {
        rho = Math.min(1.3 * rho, method.greatestRho());
      }
      if (3 * norm < clip) {
        clip *= 0.7;
      }
    }
    RecordingJournal journal = new RecordingJournal();
    Ppsgd.Sampled plain = ppsgd(FIRST / TOTAL, BATCH, 20);
    double[] weights =
        plain
            .train(
                BinaryProblem.charged(plain), ROWS, BinaryProblem.run(new SeededNoise(12), journal))
            .weights();
    assertThat(journal.entries()).last().isEqualTo("checkpoint " + t);
    assertThat(t).isBetween(2, plain.steps());
    for (int j = 0; j < p; j++) {
      assertThat(weights[j]).isCloseTo(w[j], within(1e-11));
    }
  }

  private static double[] gradient(RowBlocks.Block block, int row, double[] w) {
    double z = 0;
    for (int j = 0; j < w.length; j++) {
      z += block.features()[row * w.length + j] * w[j];
    }
    double residual = Math.max(-2, Math.min(2, z)) - (block.labels()[row] == 1 ? 1 : -1);
    double[] gradient = new double[w.length];
    for (int j = 0; j < w.length; j++) {
      gradient[j] = residual * block.features()[row * w.length + j];
    }
    return gradient;
  }

  /**
   * The journal's last checkpoint says what is left, and what it says never adds up to more than
   * the total with what the noise of each step shows to have been spent.
   */
  @Test
  void allThatIsSpent_staysWithinTheCharge() {
    Ppsgd.Sampled method = ClassicMethods.ppsgd();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(4));
    double rate = (double) BATCH / ClassicMethods.ROWS;
    double[] spent = {0};
    double[] clip = {0.8};
    StepJournal journal =
        new StepJournal() {
          @Override
          public void begin(int firstStep, int lastStep) {}

          @Override
          public void checkpoint(Iterate iterate) {
            Answer last = noise.answers().get(noise.answers().size() - 1);
            spent[0] += 13 * rate * rate * 2 * square(clip[0] / last.deviation());
            clip[0] = iterate.memory()[1];
            assertThat(spent[0] + iterate.memory()[2]).isCloseTo(TOTAL, within(1e-12));
          }
        };
    // At most 32 steps have a checkpoint each.
    Ppsgd.Sampled few = ppsgd(1.0 / 30, BATCH, 20);
    few.train(BinaryProblem.charged(few), ROWS, BinaryProblem.run(noise, journal));
    assertThat(noise.answers()).hasSizeBetween(2, 30);
    assertThat(method.mechanism()).isEqualTo(new TruncatedConcentrated(TOTAL, 20, 1));
  }

  private static double square(double value) {
    return value * value;
  }

  @Test
  void aBudgetThatBreaksTheTheorem_isRefused() {
    // s/m = 1/3 is above 0.1.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ppsgd(FIRST / TOTAL, 100, 20))
        .withMessageContaining("theorem 4 does not hold")
        .withMessageContaining("these are more than a tenth");
    // ln(m/s)/(4ρ_s) = 115.9 does not reach ω.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ppsgd(FIRST / TOTAL, BATCH, 130))
        .withMessageContaining("omega 115.9, and the run's is 130.0");
    // A step of ρ_s = 0.31 is above 0.1.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ppsgd(0.5, BATCH, 20))
        .withMessageContaining("rho_s = 0.308 is above 0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Ppsgd(ClassicMethods.adaptation(FIRST / TOTAL, Optional.empty()), BATCH)
                    .training(
                        ClassicMethods.problem(ClassicMethods.SQUARED, Adjacency.ADD_REMOVE),
                        TruncatedConcentratedDp.of(TOTAL, 20),
                        ClassicMethods.shown()))
        .withMessage("PPSGD is private for replace-one neighbours only; was add-remove");
  }

  @Test
  void rhoGrowsNoFurtherThanTheTheoremHolds() {
    Ppsgd.Sampled method = ClassicMethods.ppsgd();
    assertThat(method.greatestRho()).isBetween(FIRST, TOTAL / 2);
    TruncatedConcentratedDp total = TruncatedConcentratedDp.of(TOTAL, 20);
    PpsgdStep last = PpsgdStep.of(method.greatestRho(), BATCH, ClassicMethods.ROWS);
    assertThat(last.theoremApplies() && last.covers(total)).isTrue();
    PpsgdStep past = PpsgdStep.of(method.greatestRho() * (1 + 1e-6), BATCH, ClassicMethods.ROWS);
    assertThat(past.theoremApplies() && past.covers(total)).isFalse();
  }

  /**
   * 40 steps were begun, of which nothing is known: at a growth of 1.3 a step they may have cost
   * 2.1e-4·(1.3^17 − 1)/0.3 and more, which is all of 0.02.
   */
  @Test
  void stepsLostInACrash_areChargedAsIfRhoHadGrown() {
    Ppsgd.Sampled method = ClassicMethods.ppsgd();
    TranscriptNoise noise = TranscriptNoise.of(new SeededNoise(1));
    TrainingAttempt run =
        Fixture.resumed(BinaryProblem.run(noise, new RecordingJournal()), Optional.empty(), 40);
    method.train(BinaryProblem.charged(method), ROWS, run);
    assertThat(noise.answers()).isEmpty();
  }

  @Test
  void underTheRealBudgetsOfTheTable_thereIsRoomForSteps() {
    for (double epsilon : List.of(0.1, 0.5)) {
      TruncatedConcentratedDp total =
          TruncatedConcentratedDp.ofBudget(Epsilon.of(epsilon), Delta.of(1e-5));
      Training method =
          new Ppsgd(ClassicMethods.adaptation(0.01, Optional.empty()), 1300)
              .training(
                  ClassicMethods.problem(ClassicMethods.SQUARED, Adjacency.REPLACE_ONE)
                      .ofRows(26_000),
                  total,
                  Fixture.shown(BinaryProblem.publicRows(26)));
      assertThat(method.steps()).isBetween(99, 100);
      assertThat(PpsgdStep.of(total.rho() / 100, 1300, 26_000).theoremApplies()).isTrue();
    }
  }

  @Test
  void publicRowsWithoutAClass_areRefusedBeforeACharge() {
    RowBlocks one = new RowBlocks(4, List.of(new RowBlocks.Block(new float[4], new int[] {1})));
    assertThatThrownBy(() -> ppsgd(FIRST / TOTAL, BATCH, 20, Fixture.shown(new PublicRows(one))))
        .hasMessage("the public rows have no row of class index 0");
  }

  private static Ppsgd.Sampled ppsgd(double firstShare, long batch, double omega) {
    return ppsgd(firstShare, batch, omega, ClassicMethods.shown());
  }

  private static Ppsgd.Sampled ppsgd(
      double firstShare, long batch, double omega, PublicInputs inputs) {
    return new Ppsgd(ClassicMethods.adaptation(firstShare, Optional.empty()), batch)
        .training(
            ClassicMethods.problem(ClassicMethods.SQUARED, Adjacency.REPLACE_ONE),
            TruncatedConcentratedDp.of(TOTAL, omega),
            inputs);
  }
}
