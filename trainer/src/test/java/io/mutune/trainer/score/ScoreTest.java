package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.StreamId;
import java.util.List;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;

class ScoreTest {
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});

  /** Three of four right. */
  private static final RowBlocks ROWS =
      TestRows.blocks(new float[][] {{1}, {2}, {-1}, {-3}}, new int[] {1, 1, 0, 1});

  private static final NoisyScore SCORE =
      Metric.ACCURACY.noisy(
          NoiseMultiplier.of(50), Adjacency.ADD_REMOVE, 1000, new LogisticLoss(), 2);
  private static final ReservedCharge CHARGED = () -> new Charge("score 1", SCORE.mechanism());

  @Test
  void publicAccuracy_isTheFractionCorrect() throws Exception {
    assertThat(Metric.ACCURACY.of(SIGN, new LogisticLoss(), new PublicRows(ROWS))).isEqualTo(0.75);
  }

  @Test
  void publicAccuracy_ofNoRows_isRefused() {
    PublicRows none = new PublicRows(new RowBlocks(1, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.ACCURACY.of(SIGN, new LogisticLoss(), none));
  }

  @Test
  void aPrivateScore_dividesByThePublicRowCountAndAddsSigmaTimesTheNoise() throws Exception {
    assertThat(SCORE.score(CHARGED, new PrivateRows(ROWS), SIGN, () -> -1))
        .isEqualTo((3 - 50.0) / 1000);
  }

  /** Two of three rows right, rounded down to a multiple of 2^-20, and one of one. */
  @Test
  void aPersonsScore_isTheMeanOfTheirRows() throws Exception {
    RowBlocks people =
        TestRows.blocks(new float[][] {{1}, {2}, {-1}, {-3}, {7}}, new int[] {1, 1, 0, 1, 1})
            .withUnits(RowUnits.of(new int[] {0, 1, 0, 0, RowUnits.NONE}));
    double mean = Math.floor(0x1p20 * 2 / 3) * 0x1p-20;
    assertThat(SCORE.score(CHARGED, new PrivateRows(people), SIGN, () -> 0))
        .isEqualTo((mean + 1) / 1000);
  }

  @Test
  void aPrivateScore_costsOneCountOfSensitivityOne() {
    assertThat(SCORE.mechanism()).isEqualTo(new Gaussian(NoiseMultiplier.of(50), 1, 1));
  }

  /** The squares of 2000 scores' noise in units of σ are χ²; fails by chance 2e-10 of the time. */
  @Test
  void theNoiseThatIsCharged_isTheNoiseThatIsAdded() throws Exception {
    SecureNoise noise = new SecureNoise();
    PrivateRows rows = new PrivateRows(ROWS);
    int scores = 2000;
    double squares = 0;
    for (int trial = 0; trial < scores; trial++) {
      NormalStream stream = noise.stream(new StreamId("study", trial, 1, StreamId.SCORE));
      double released = SCORE.score(CHARGED, rows, SIGN, stream);
      double z = (released * 1000 - 3) / SCORE.mechanism().sigma().value();
      squares += z * z;
    }
    ChiSquaredDistribution law = ChiSquaredDistribution.of(scores);
    assertThat(squares)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
  }

  /** A model that does not suit the rows shows that they were not looked at. */
  @Test
  void withoutTheRightCharge_noRowIsRead() {
    ReservedCharge cheaper =
        () -> new Charge("score 1", new Gaussian(NoiseMultiplier.of(51), 1, 1));
    LinearModel unsuited = LinearModel.zero(2, 1);
    PrivateRows rows = new PrivateRows(ROWS);
    assertThatIllegalStateException()
        .isThrownBy(() -> SCORE.score(cheaper, rows, unsuited, () -> 0))
        .withMessageContaining("'score 1' is charged as");
    assertThatExceptionOfType(UnsuitableRowsException.class)
        .isThrownBy(() -> SCORE.score(CHARGED, rows, unsuited, () -> 0))
        .withMessage("rows of 1 features do not suit a model of 2");
  }
}
