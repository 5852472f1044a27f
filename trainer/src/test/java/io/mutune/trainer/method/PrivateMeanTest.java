package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Problem;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;

class PrivateMeanTest {
  private static final PrivateMean MEAN =
      new PrivateMean(ClipNorm.of(2), NoiseMultiplier.of(5), Adjacency.ADD_REMOVE, 10);
  private static final ReservedCharge CHARGED = () -> new Charge("mean", MEAN.mechanism());

  private static PrivateRows rows(float[]... rows) {
    return new PrivateRows(Problem.blocks(rows, new int[rows.length]));
  }

  @Test
  void rowsAreClipped_andTheSumIsDividedByThePublicCount() {
    PrivateRows rows = rows(new float[] {1, 0}, new float[] {30, -40}, new float[] {0, 0});
    double[] mean = MEAN.release(CHARGED, rows, () -> 0);
    // The second row is scaled to norm 2 less a millionth.
    assertThat(mean[0]).isCloseTo((1 + 1.2) / 10, within(1e-6));
    assertThat(mean[1]).isCloseTo(-1.6 / 10, within(1e-6));
    assertThat(MEAN.release(CHARGED, rows, () -> 1)[0] - mean[0])
        .isCloseTo(5 * 2 / 10.0, within(1e-12));
  }

  @Test
  void rowsThatAreNoNumbers_addNothing() {
    PrivateRows rows =
        rows(
            new float[] {1, 1},
            new float[] {Float.NaN, 1},
            new float[] {1, Float.NEGATIVE_INFINITY});
    assertThat(MEAN.release(CHARGED, rows, () -> 0))
        .isEqualTo(MEAN.release(CHARGED, rows(new float[] {1, 1}), () -> 0));
  }

  /** Sums are exact, so the bound holds to the rounding of two norms, which the margin covers. */
  @Test
  void oneRowMore_movesTheSumByAtMostTheClipNorm_whateverTheOthersAre() {
    SplittableRandom random = new SplittableRandom(1);
    float[][] rows = Problem.normalRows(random, 20_000, 7);
    for (int round = 0; round < 5; round++) {
      rows[0] = Problem.normalRows(random, 1, 7)[0];
      double[] all = MEAN.release(CHARGED, rows(rows), () -> 0);
      double[] less =
          MEAN.release(CHARGED, rows(Arrays.copyOfRange(rows, 1, rows.length)), () -> 0);
      double squares = 0;
      for (int j = 0; j < 7; j++) {
        squares += Math.pow(10 * (all[j] - less[j]), 2);
      }
      assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(2);
    }
  }

  /** The squares of 2000 noises in units of σR are χ²; fails by chance 2e-10 of the time. */
  @Test
  void theNoiseThatIsCharged_isTheNoiseThatIsAdded() {
    assertThat(MEAN.mechanism()).isEqualTo(new Gaussian(NoiseMultiplier.of(5), 1, 1));
    PrivateRows none = rows(new float[2000]);
    NormalStream noise = new SecureNoise().stream(new StreamId("mean", 1, 1, 1));
    double squares = 0;
    for (double value : MEAN.release(CHARGED, none, noise)) {
      squares += Math.pow(value * 10 / (5 * 2), 2);
    }
    ChiSquaredDistribution law = ChiSquaredDistribution.of(2000);
    assertThat(squares)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
  }

  @Test
  void withoutTheRightCharge_noRowIsRead() {
    ReservedCharge cheaper = () -> new Charge("mean", new Gaussian(NoiseMultiplier.of(6), 1, 1));
    assertThatIllegalStateException()
        .isThrownBy(() -> MEAN.release(cheaper, rows(new float[] {1}), () -> 0))
        .withMessageContaining("'mean' is charged as");
  }

  @Test
  void centredRows_areThoseLessTheMean() {
    PrivateRows rows = rows(new float[] {1, 2}, new float[] {3, 5});
    assertThat(
            PrivateMean.centred(rows, new double[] {0.5, -1}).blocks().blocks().get(0).features())
        .containsExactly(0.5f, 3, 2.5f, 6);
  }
}
