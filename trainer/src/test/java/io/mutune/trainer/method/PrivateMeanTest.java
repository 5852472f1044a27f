package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.testing.Thorough;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.feature.Centre;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.noise.Grid;
import io.mutune.trainer.noise.GridNoise;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;

class PrivateMeanTest {
  private static final PrivateMean MEAN =
      new PrivateMean(
          ClipNorm.of(2), NoiseMultiplier.of(5), Adjacency.ADD_REMOVE, 10, Optional.empty());
  private static final ReservedCharge CHARGED = () -> new Charge("mean", MEAN.mechanism());

  private static PrivateRows rows(float[]... rows) {
    return new PrivateRows(TestRows.blocks(rows, new int[rows.length]));
  }

  @Test
  void rowsAreClipped_andTheSumIsDividedByThePublicCount() {
    PrivateRows rows = rows(new float[] {1, 0}, new float[] {30, -40}, new float[] {0, 0});
    double[] mean = MEAN.release(CHARGED, rows, () -> 0);
    // The second row is scaled to norm 2 less the margin of ClipNorm, 2.65e-4 of it.
    assertThat(mean[0]).isCloseTo((1 + 1.2) / 10, within(4e-5));
    assertThat(mean[1]).isCloseTo(-1.6 / 10, within(5e-5));
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
    float[][] rows = TestRows.normalRows(random, 20_000, 7);
    for (int round = 0; round < 5; round++) {
      rows[0] = TestRows.normalRows(random, 1, 7)[0];
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
    FeaturePipeline centre = FeaturePipeline.of(Centre.of(new double[] {0.5, -1}));
    assertThat(rows.blocks().mapped(centre).blocks().get(0).features())
        .containsExactly(0.5f, 3, 2.5f, 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows.blocks().mapped(FeaturePipeline.of(Centre.of(new double[3]))))
        .withMessageContaining("private-mean of 3 features cannot be taken from rows of 2");
  }

  /**
   * 2^27 rows of norm R in one direction, of 2^36 units each, are what a long cannot hold any more;
   * here are 2^22 more, and half as many the other way.
   */
  @Test
  @Thorough
  void moreUnitsThanALongHolds_areAddedUp() {
    float[] ones = new float[RowBlocks.BLOCK_ROWS];
    Arrays.fill(ones, 2);
    float[] minus = new float[RowBlocks.BLOCK_ROWS];
    Arrays.fill(minus, -2);
    RowBlocks.Block plusBlock = new RowBlocks.Block(ones, new int[ones.length]);
    RowBlocks.Block minusBlock = new RowBlocks.Block(minus, new int[minus.length]);
    int blocks = (1 << 15) + (1 << 10);
    List<RowBlocks.Block> all = new ArrayList<>(Collections.nCopies(blocks, plusBlock));
    double up = sum(all);
    // Each row counts for 2(1 − 2.65e-4), rounded to a unit: to 2^-37 of it.
    double expected = (double) blocks * RowBlocks.BLOCK_ROWS * 2 * (1 - 2.65e-4);
    assertThat(up).isCloseTo(expected, within(expected * 0x1p-36));
    all.addAll(Collections.nCopies(blocks, minusBlock));
    assertThat(sum(all)).isZero();
    assertThat(sum(Collections.nCopies(blocks, minusBlock))).isEqualTo(-up);
  }

  private static double sum(List<RowBlocks.Block> blocks) {
    PrivateRows rows = new PrivateRows(new RowBlocks(1, blocks));
    return MEAN.release(CHARGED, rows, () -> 0)[0] * 10;
  }

  @Test
  void onAGrid_theSumIsOnItAndTheChargeContainsTheRounding() {
    SumRounding rounding = new SumRounding(new Grid(-4), 2, 1);
    PrivateMean mean =
        new PrivateMean(
            ClipNorm.of(2), NoiseMultiplier.of(5), Adjacency.ADD_REMOVE, 8, Optional.of(rounding));
    // g√d/C = √2/32.
    assertThat(mean.mechanism().sensitivity())
        .isBetween(1 + Math.sqrt(2) / 32, 1 + Math.sqrt(2) / 32 * (1 + 1e-12));
    ReservedCharge charged = () -> new Charge("mean", mean.mechanism());
    PrivateRows rows = rows(new float[] {0.3f, 0.1f});
    StreamId id = new StreamId("mean", -1, 1, 1);
    for (double value : mean.release(charged, rows, GridNoise.secure(rounding.grid()), id)) {
      assertThat(value * 8 * 16).isEqualTo(Math.rint(value * 8 * 16));
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> mean.release(charged, rows, new SecureNoise(), id))
        .withMessageContaining("is charged for multiples of 2^-4");
    assertThatIllegalStateException()
        .isThrownBy(() -> MEAN.release(CHARGED, rows, GridNoise.secure(Grid.USUAL), id))
        .withMessageContaining("is charged for no grid");
  }
}
