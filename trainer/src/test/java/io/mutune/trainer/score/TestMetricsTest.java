package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class TestMetricsTest {
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});

  private static TestMetrics of(double[] numbers, int... labels) throws UnsuitableRowsException {
    float[][] rows =
        DoubleStream.of(numbers).mapToObj(x -> new float[] {(float) x}).toArray(float[][]::new);
    return TestMetrics.of(SIGN, new LogisticLoss(), new PublicRows(TestRows.blocks(rows, labels)));
  }

  /** Of class 0 three of four right, of class 1 one of two; one row whose label is none. */
  @Test
  void classes_haveTheFiguresOfTheirMatrix() throws Exception {
    ClassMetrics metrics =
        (ClassMetrics) of(new double[] {-1, -1, -1, 1, 1, -1, 1}, 0, 0, 0, 0, 1, 1, -1);
    assertThat(metrics.rows()).isEqualTo(6);
    assertThat(metrics.confusion()).containsExactly(List.of(3L, 1L), List.of(1L, 1L));
    assertThat(metrics.accuracy().value()).isEqualTo(4 / 6.0);
    assertThat(metrics.balancedAccuracy()).isEqualTo((0.75 + 0.5) / 2);
    assertThat(metrics.majority()).isZero();
    assertThat(metrics.baseline()).isEqualTo(4 / 6.0);
    ClassMetrics.OfClass rare = metrics.classes().get(1);
    assertThat(rare.precision()).isEqualTo(0.5);
    assertThat(rare.recall()).isEqualTo(0.5);
    assertThat(metrics.macroF1()).isCloseTo((0.75 + 0.5) / 2, within(1e-15));
  }

  @Test
  void aClassThatIsNeverSaid_hasZeros_andOneWithoutRowsDoesNotCount() throws Exception {
    ClassMetrics metrics = (ClassMetrics) of(new double[] {-1, -1, -1}, 0, 0, 1);
    assertThat(metrics.classes().get(1)).isEqualTo(new ClassMetrics.OfClass(0, 1, 0));
    assertThat(metrics.classes().get(1).precision()).isZero();
    assertThat(metrics.classes().get(1).f1()).isZero();
    assertThat(metrics.balancedAccuracy()).isEqualTo(0.5);
    assertThat(((ClassMetrics) of(new double[] {-1, -1}, 0, 0)).balancedAccuracy()).isEqualTo(1);
  }

  /** By hand: z = 1.96, 81 of 263 (Newcombe 1998, table I). */
  @Test
  void wilsonsInterval_isTheOneOfItsTable() {
    Estimate share = Estimate.ofShare(81, 263);
    assertThat(share.low()).isCloseTo(0.2553, within(5e-5));
    assertThat(share.high()).isCloseTo(0.3662, within(5e-5));
    assertThat(Estimate.ofShare(0, 20).low()).isZero();
    assertThat(Estimate.ofShare(0, 20).high()).isCloseTo(0.1611, within(5e-5));
    assertThat(Estimate.ofShare(29, 29).high()).isEqualTo(1);
  }

  /** Errors 0.5, 0 and 1, predictions held within ±1. */
  @Test
  void targets_haveErrorsBesideThoseOfTheMiddle() throws Exception {
    int[] codes = DoubleStream.of(0, 0.5, 0).mapToInt(TargetRange::code).toArray();
    RowBlocks rows =
        new RowBlocks(1, List.of(new RowBlocks.Block(new float[] {0.5f, 0.5f, 9}, codes)), true);
    TargetMetrics metrics =
        (TargetMetrics) TestMetrics.of(SIGN, new LogisticLoss(), new PublicRows(rows));
    assertThat(metrics.rows()).isEqualTo(3);
    assertThat(metrics.absolute().value()).isEqualTo(0.5);
    assertThat(metrics.square()).isCloseTo(1.25 / 3, within(1e-15));
    assertThat(metrics.baseline()).isCloseTo(0.5 / 3, within(1e-15));
    // The targets' variance is 1/18.
    assertThat(metrics.r2().orElseThrow()).isCloseTo(1 - 18 * 1.25 / 3, within(1e-12));
    // Student's t of two degrees times the deviation of three errors, 0.5, over √3.
    assertThat(metrics.absolute().high() - 0.5)
        .isCloseTo(4.3027 * 0.5 / Math.sqrt(3), within(1e-4));
    int[] equal = new int[10];
    Arrays.fill(equal, TargetRange.code(0.7)); // the mean of ten is another number than 0.7
    RowBlocks flat = new RowBlocks(1, List.of(new RowBlocks.Block(new float[10], equal)), true);
    assertThat(
            ((TargetMetrics) TestMetrics.of(SIGN, new LogisticLoss(), new PublicRows(flat))).r2())
        .isEmpty();
  }

  /** 101 rows of which it says 0.32, with targets evenly over [0, 1], and one far above. */
  @Test
  void targetsAreSpread_byWhatTheModelSays() throws Exception {
    float[] said = new float[102];
    Arrays.fill(said, 0.32f);
    said[101] = 9;
    int[] codes = new int[102];
    for (int i = 0; i < 102; i++) {
      codes[i] = TargetRange.code(Math.min(100, i) / 100.0);
    }
    RowBlocks rows = new RowBlocks(1, List.of(new RowBlocks.Block(said, codes)), true);
    TargetSpread spread =
        ((TargetMetrics) TestMetrics.of(SIGN, new LogisticLoss(), new PublicRows(rows))).spread();
    // Of twenty parts of [-1, 1] the fourteenth is [0.3, 0.4].
    TargetSpread.Bin bin = spread.bins().get(13);
    assertThat(bin.rows()).isEqualTo(101);
    // A code is a multiple of 2^-30 or so; a float of 0.32 is off by less than 2^-25.
    assertThat(bin.said()).isCloseTo(0.32, within(1e-7));
    assertThat(bin.low()).isCloseTo(0.1, within(1e-7));
    assertThat(bin.median()).isCloseTo(0.5, within(1e-7));
    assertThat(bin.high()).isCloseTo(0.9, within(1e-7));
    assertThat(spread.bins().get(19)).isEqualTo(new TargetSpread.Bin(1, 1, 1, 1, 1));
    assertThat(spread.bins().get(0)).isEqualTo(new TargetSpread.Bin(0, -0.95, -0.95, -0.95, -0.95));
  }

  @Test
  void rowsOfAnotherWidth_areRefused() {
    PublicRows rows = new PublicRows(TestRows.blocks(new float[][] {{1}}, new int[] {0}));
    assertThatExceptionOfType(UnsuitableRowsException.class)
        .isThrownBy(() -> TestMetrics.of(LinearModel.zero(2, 1), new LogisticLoss(), rows));
  }

  private static ClassMetrics judged(Loss loss, double[][] logits, int... labels)
      throws UnsuitableRowsException {
    int columns = logits[0].length;
    double[] identity = new double[columns * columns];
    float[][] rows = new float[logits.length][columns];
    for (int c = 0; c < columns; c++) {
      identity[c * columns + c] = 1;
      for (int i = 0; i < logits.length; i++) {
        rows[i][c] = (float) logits[i][c];
      }
    }
    return (ClassMetrics)
        TestMetrics.of(
            new LinearModel(columns, columns, identity),
            loss,
            new PublicRows(TestRows.blocks(rows, labels)));
  }

  /** Odds of 3 to 1 and 1 to 3 for class 1. */
  @Test
  void probabilities_areThoseOfTheLoss_andNoRowWithoutAClassCounts() throws Exception {
    double z = Math.log(3);
    ClassMetrics metrics =
        judged(new LogisticLoss(), new double[][] {{z}, {z}, {-z}, {-z}, {z}}, 1, 0, 0, 0, -1);
    Probabilities said = metrics.probabilities().orElseThrow();
    assertThat(said.logLoss().value())
        .isCloseTo((-3 * Math.log(0.75) - Math.log(0.25)) / 4, within(1e-7));
    assertThat(said.logLoss().low()).isNotNegative().isLessThan(said.logLoss().value());
    assertThat(said.baseline())
        .isCloseTo(-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), within(1e-15));
    Reliability bins = said.reliability();
    assertThat(bins.bins()).hasSize(Reliability.BINS);
    assertThat(bins.bins().get(2).rows()).isEqualTo(2);
    assertThat(bins.bins().get(2).came()).isZero();
    assertThat(bins.bins().get(7).said()).isCloseTo(0.75, within(1e-7));
    assertThat(bins.bins().get(7).frequency().value()).isEqualTo(0.5);
    // Both bins are off by a quarter.
    assertThat(bins.error()).isCloseTo(0.25, within(1e-7));
    assertThat(bins.errorByChance())
        .isCloseTo(Math.sqrt(2 / Math.PI * 2 * 0.1875) / 2, within(1e-7));
  }

  @Test
  void ofMoreClasses_theProbabilityOfTheClassThatIsSaidIsHeldAgainstHowOftenItIsRight()
      throws Exception {
    double z = Math.log(8);
    ClassMetrics metrics =
        judged(new SoftmaxLoss(), new double[][] {{z, 0, 0}, {0, z, 0}, {0, 0, z}}, 0, 1, 1);
    Reliability.Bin eighty = metrics.probabilities().orElseThrow().reliability().bins().get(8);
    assertThat(eighty.said()).isCloseTo(0.8, within(1e-7));
    assertThat(eighty.rows()).isEqualTo(3);
    assertThat(eighty.came()).isEqualTo(2);
    assertThat(metrics.probabilities().orElseThrow().logLoss().value())
        .isCloseTo((-2 * Math.log(0.8) - Math.log(0.1)) / 3, within(1e-7));
    // Class 2 has no row, class 0 is found above both others.
    assertThat(metrics.rankings().get(2)).isEmpty();
    assertThat(metrics.rankings().get(0).orElseThrow().auc().value()).isEqualTo(1);
    assertThat(metrics.rankingBaseline()).isCloseTo(0.5, within(1e-15));
  }

  /** A hinge's logits rank, and are nobody's probabilities. */
  @Test
  void aLossWithoutProbabilities_hasRanksAlone() throws Exception {
    ClassMetrics metrics =
        judged(new HingeLoss(), new double[][] {{2}, {1}, {-1}, {-3}}, 1, 0, 1, 0);
    assertThat(metrics.probabilities()).isEmpty();
    Ranking ranking = metrics.macroRanking().orElseThrow();
    assertThat(ranking.auc().value()).isEqualTo(0.75);
    // Of class 1 (1 + 2/3)/2; of class 0, whose order is the reverse, the same.
    assertThat(ranking.averagePrecision().value()).isCloseTo(5 / 6.0, within(1e-15));
  }

  /** Both probabilities of class 0 are 1 in double. */
  @Test
  void rowsThatAreSurelyOfAClass_areStillRanked() throws Exception {
    ClassMetrics metrics = judged(new SoftmaxLoss(), new double[][] {{90, 0, 0}, {60, 0, 0}}, 0, 1);
    assertThat(metrics.rankings().get(0).orElseThrow().auc().value()).isEqualTo(1);
  }

  @Test
  void logitsThatAreNoNumbers_areJudgedLikeAnyOthers() throws Exception {
    double[][] logits = {{Double.NaN, 0}, {Double.POSITIVE_INFINITY, 0}, {-1e38, 1e38}};
    ClassMetrics metrics = judged(new SoftmaxLoss(), logits, 0, 1, 1);
    assertThat(metrics.probabilities().orElseThrow().logLoss().high()).isFinite();
    assertThat(metrics.macroRanking().orElseThrow().auc().value()).isBetween(0.0, 1.0);
  }
}
