package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How far a unit moves the counts is in {@link CountsTest}. */
class NoisyCountsTest {
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});

  private static PrivateRows rows() {
    float[][] rows = {{-1}, {-1}, {1}, {1}, {-1}, {1}};
    return new PrivateRows(TestRows.blocks(rows, new int[] {0, 0, 0, 1, 1, -1}));
  }

  @Test
  void noise_isAddedToEveryCount_ofTheStreamThatIsGiven() throws Exception {
    NoisyCounts counts =
        new NoisyCounts(Counts.confusion(2), NoiseMultiplier.of(2), Adjacency.ADD_REMOVE);
    double[] next = {0};
    double[] cells =
        counts.release(() -> new Charge("test", counts.mechanism()), rows(), SIGN, () -> next[0]++);
    assertThat(cells).containsExactly(2, 1 + 2, 1 + 4, 1 + 6);
  }

  @Test
  void withoutTheRightCharge_noRowIsRead() {
    NoisyCounts counts =
        new NoisyCounts(Counts.confusion(2), NoiseMultiplier.of(2), Adjacency.REPLACE_ONE);
    assertThat(counts.mechanism().sensitivity()).isEqualTo(Math.nextUp(Math.sqrt(2)));
    Charge other = new Charge("test", new Gaussian(NoiseMultiplier.of(2), 1, 1));
    assertThatIllegalStateException()
        .isThrownBy(() -> counts.release(() -> other, rows(), LinearModel.zero(2, 1), () -> 0));
  }

  @Test
  void figures_areThoseOfTheCounts() {
    NoisyClassMetrics metrics =
        NoisyClassMetrics.of(new PublicUnits(100, 1), 0, new double[] {60, 20, 5, 15});
    assertThat(metrics.score()).isEqualTo(0.75);
    assertThat(metrics.recall(0).value()).isEqualTo(0.75);
    assertThat(metrics.precision(0).value()).isEqualTo(60 / 65.0);
    assertThat(metrics.f1(1).value()).isEqualTo(30 / 55.0);
    assertThat(metrics.balancedAccuracy().value()).isEqualTo(0.75);
    assertThat(metrics.baseline().value()).isEqualTo(0.8);
    assertThat(metrics.majority()).isZero();
    // Without noise it is Wilson's, to the steps in which shares are tried.
    Estimate wilson = Estimate.ofShare(15, 20);
    assertThat(metrics.recall(1).low()).isCloseTo(wilson.low(), within(1e-3));
    assertThat(metrics.recall(1).high()).isCloseTo(wilson.high(), within(1e-3));
  }

  @Test
  void whatNoiseHides_mayBeAnything() {
    NoisyClassMetrics metrics =
        NoisyClassMetrics.of(new PublicUnits(1000, 1), 30, new double[] {900, 40, 12, -25});
    assertThat(metrics.recall(1)).isEqualTo(new Estimate(0.5, 0, 1));
    assertThat(metrics.precision(1).low()).isZero();
    assertThat(metrics.recall(0).low()).isGreaterThan(0.8);
  }

  /** As noise makes of a class that is always right, in a draw of every fortieth. */
  @Test
  void whatNoisePutsBeyondOne_isNoSinglePoint() {
    Estimate recall =
        NoisyClassMetrics.of(new PublicUnits(100, 1), 3, new double[] {58, -9, 20, 30}).recall(0);
    assertThat(recall.value()).isOne();
    assertThat(recall.high()).isOne();
    assertThat(recall.low()).isBetween(0.8, 0.99);
  }

  /**
   * Rows and noise drawn anew each time. Of 1000 intervals of 95% fewer than 910 hold their figure
   * with probability below 1e-7 by a binomial law; this seed has no chance.
   */
  @Test
  void intervals_holdTheFiguresOfThePopulationAsOftenAsTheySay() {
    // A tenth of class 1; of class 0 nine tenths are right, of class 1 six tenths.
    double[] shares = {0.81, 0.09, 0.04, 0.06};
    double f1 = 2 * 0.06 / (0.1 + 0.15);
    Random random = new Random(3);
    int[] held = new int[4];
    for (int trial = 0; trial < 1000; trial++) {
      double[] cells = new double[4];
      for (int row = 0; row < 400; row++) {
        double u = random.nextDouble();
        cells[u < 0.81 ? 0 : u < 0.9 ? 1 : u < 0.94 ? 2 : 3]++;
      }
      for (int cell = 0; cell < 4; cell++) {
        cells[cell] += 5 * random.nextGaussian();
      }
      NoisyClassMetrics metrics = NoisyClassMetrics.of(new PublicUnits(400, 1), 5, cells);
      held[0] += holds(metrics.accuracy(), shares[0] + shares[3]);
      held[1] += holds(metrics.recall(1), 0.6);
      held[2] += holds(metrics.precision(1), 0.4);
      held[3] += holds(metrics.f1(1), f1);
    }
    assertThat(Arrays.stream(held).min().orElseThrow()).isGreaterThanOrEqualTo(910);
  }

  /** 1000 intervals of 95%: fewer than 910 hold by chance once in 1e7. */
  @Test
  void theNumberOfUnitsThatAreHeldOut_isChanceToo() {
    Random random = new Random(4);
    PublicUnits units = new PublicUnits(400, 0.1);
    int held = 0;
    int heldIfStated = 0;
    for (int trial = 0; trial < 1000; trial++) {
      double right = 5 * random.nextGaussian();
      for (int unit = 0; unit < 4000; unit++) {
        right += random.nextDouble() < 0.1 * 0.8 ? 1 : 0;
      }
      held += holds(NoisyTestMetrics.accuracy(right, 5, units), 0.8);
      heldIfStated += holds(NoisyTestMetrics.accuracy(right, 5, new PublicUnits(400, 1)), 0.8);
    }
    assertThat(held).isGreaterThanOrEqualTo(910);
    assertThat(heldIfStated).isLessThan(800);
  }

  private static int holds(Estimate estimate, double value) {
    return estimate.low() <= value && value <= estimate.high() ? 1 : 0;
  }
}
