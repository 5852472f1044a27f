package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What trials are compared by, on public rows and from noisy counts. */
class MetricScoreTest {
  /** Class 1 for a positive number, else class 0. */
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});

  private static final Loss LOSS = new LogisticLoss();

  /** Three of four of class 0 right, one of two of class 1. */
  private static final RowBlocks ROWS =
      TestRows.blocks(
          new float[][] {{-1}, {-1}, {-1}, {1}, {1}, {-1}, {5}}, new int[] {0, 0, 0, 0, 1, 1, -1});

  private static Metric metric(Metric.Kind kind) {
    return new Metric(kind, kind.isOfOneClass() ? 1 : Metric.ALL);
  }

  private static double exact(Metric.Kind kind) throws UnsuitableRowsException {
    return metric(kind).of(SIGN, LOSS, new PublicRows(ROWS));
  }

  @Test
  void onPublicRows_itIsTheFigureItself() throws Exception {
    ClassMetrics figures = (ClassMetrics) TestMetrics.of(SIGN, LOSS, new PublicRows(ROWS));
    assertThat(exact(Metric.Kind.BALANCED_ACCURACY)).isEqualTo((0.75 + 0.5) / 2);
    assertThat(exact(Metric.Kind.MACRO_F1)).isEqualTo(figures.macroF1());
    assertThat(exact(Metric.Kind.RECALL)).isEqualTo(0.5);
    assertThat(exact(Metric.Kind.F1)).isEqualTo(0.5);
    assertThat(exact(Metric.Kind.AUC)).isEqualTo((3 * 1 + 3 * 0.5 + 0.5) / 8);
    // Of a class without rows nothing counts.
    RowBlocks noneOfOne = TestRows.blocks(new float[][] {{-1}, {-1}, {1}}, new int[] {0, 0, 0});
    assertThat(Metric.BALANCED_ACCURACY.of(SIGN, LOSS, new PublicRows(noneOfOne)))
        .isCloseTo(2 / 3.0, within(1e-15));
  }

  /** ln(1 + 1/e) for four rows, ln(1 + e) for two, over ten bits; a row is off by 2^-20 at most. */
  @Test
  void logLoss_isBounded() throws Exception {
    double lost = (4 * Math.log1p(Math.exp(-1)) + 2 * Math.log1p(Math.exp(1))) / 6;
    RowBlocks rows =
        TestRows.blocks(
            new float[][] {{-1}, {-1}, {-1}, {1}, {1}, {-1}}, new int[] {0, 0, 0, 0, 1, 1});
    assertThat(metric(Metric.Kind.LOG_LOSS).of(SIGN, LOSS, new PublicRows(rows)))
        .isCloseTo(1 - lost / (10 * Math.log(2)), within(0x1p-20));
    RowBlocks wrong = TestRows.blocks(new float[][] {{-1e9f}}, new int[] {1});
    assertThat(metric(Metric.Kind.LOG_LOSS).of(SIGN, LOSS, new PublicRows(wrong))).isZero();
  }

  @Test
  void squaredError_isThatOverTheRange() throws Exception {
    int[] targets = {TargetRange.code(0.5), TargetRange.code(-1)};
    RowBlocks rows =
        new RowBlocks(1, List.of(new RowBlocks.Block(new float[] {0, 7}, targets)), true);
    // Errors of 0.5, and of 2 as predictions are held within the range, which is 2 wide.
    assertThat(
            metric(Metric.Kind.SQUARED_ERROR)
                .of(SIGN, new SquaredLoss(1, true), new PublicRows(rows)))
        .isCloseTo(1 - (0.25 / 4 + 1) / 2, within(0x1p-20));
  }

  /** Nobody does better by giving no score to the rows that are hard. */
  @ParameterizedTest
  @EnumSource
  void aRowWithoutAFiniteScore_isAsWrongAsCanBe(Metric.Kind kind) throws Exception {
    boolean isReal = kind == Metric.Kind.SQUARED_ERROR;
    for (int columns : isReal ? new int[] {1} : new int[] {1, 3}) {
      assertThat(scored(kind, columns, false)).as("%s, all of them", kind).isZero();
      // Beside as many that are right, which without the others would be all there is.
      assertThat(scored(kind, columns, true))
          .as("%s of %d columns", kind, columns)
          .isStrictlyBetween(0.0, 0.8);
    }
  }

  /** Of which a mean squared error is made, by a sum over the rows that are there. */
  @Test
  void aTargetWithoutAFinitePrediction_hasTheGreatestSquare() throws Exception {
    int[] targets = {TargetRange.code(-1), TargetRange.code(1)};
    RowBlocks rows = new RowBlocks(1, List.of(new RowBlocks.Block(new float[2], targets)), true);
    RowBlocks scored = rows.scored(new float[] {Float.NaN, Float.POSITIVE_INFINITY}, 1);
    assertThat(Counts.squares().of(SIGN, new PublicRows(scored))[0]).isEqualTo(2);
  }

  /** The figure of two rows of each class, or end of the range, that have no finite score. */
  private static double scored(Metric.Kind kind, int columns, boolean besideRightOnes)
      throws UnsuitableRowsException {
    boolean isReal = kind == Metric.Kind.SQUARED_ERROR;
    int[] ends = isReal ? new int[] {TargetRange.code(-1), TargetRange.code(1)} : new int[] {0, 1};
    int rows = besideRightOnes ? 8 : 4;
    int[] labels = new int[rows];
    float[] scores = new float[rows * columns];
    for (int row = 0; row < rows; row++) {
      labels[row] = ends[row % 2];
      boolean isRight = row >= 4;
      if (columns == 1) {
        scores[row] = isRight ? 9 * (2 * (row % 2) - 1) : Float.NEGATIVE_INFINITY;
      } else {
        scores[row * columns + row % 2] = isRight ? 9 : Float.NaN;
      }
    }
    double[] identity = new double[columns * columns];
    for (int c = 0; c < columns; c++) {
      identity[c * columns + c] = 1;
    }
    Loss loss = isReal ? new SquaredLoss(1, true) : columns == 1 ? LOSS : new SoftmaxLoss();
    RowBlocks of = new RowBlocks(1, List.of(new RowBlocks.Block(new float[rows], labels)), isReal);
    return metric(kind)
        .of(
            new LinearModel(columns, columns, identity),
            loss,
            new PublicRows(of.scored(scores, columns)));
  }

  @ParameterizedTest
  @EnumSource
  void withoutNoise_aPrivateScoreIsThePublicOne(Metric.Kind kind) throws Exception {
    if (kind == Metric.Kind.SQUARED_ERROR || kind == Metric.Kind.LOG_LOSS) {
      return;
    }
    Metric metric = metric(kind);
    double[] cells = CountSum.of(metric.counts(LOSS, 2), SIGN, ROWS);
    // All rows of a sign are in one bin here, so bins lose nothing. Accuracy has the seventh row.
    long rows = kind == Metric.Kind.ACCURACY ? 7 : 6;
    assertThat(metric.of(cells, 0, rows)).isCloseTo(exact(kind), within(1e-15));
  }

  @ParameterizedTest
  @EnumSource
  void noise_isAddedToCounts_andARatioStaysInItsRange(Metric.Kind kind) throws Exception {
    Metric metric = metric(kind);
    if (kind.isMean()) {
      return;
    }
    NoisyScore score = metric.noisy(NoiseMultiplier.of(2), Adjacency.ADD_REMOVE, 6, LOSS, 2);
    ReservedCharge charged = () -> new Charge("score 1", score.mechanism());
    for (double draw : new double[] {-1e9, -3, -0.7, 0, 1, 1e9}) {
      double[] next = {draw};
      double released = score.score(charged, new PrivateRows(ROWS), SIGN, () -> next[0] = -next[0]);
      assertThat(released).isBetween(0.0, 1.0);
    }
  }

  @Test
  void aClassThatNoiseHides_standsNearOneHalf() throws Exception {
    NoisyScore score =
        Metric.BALANCED_ACCURACY.noisy(NoiseMultiplier.of(2), Adjacency.ADD_REMOVE, 6, LOSS, 2);
    ReservedCharge charged = () -> new Charge("score 1", score.mechanism());
    PrivateRows rows = new PrivateRows(ROWS);
    // Cells 3, 1, 1, 1 with two added rows a class, and no noise; then each cell has 2 more.
    assertThat(score.score(charged, rows, SIGN, () -> 0)).isEqualTo((4 / 6.0 + 2 / 4.0) / 2);
    assertThat(score.score(charged, rows, SIGN, () -> 1)).isEqualTo((6 / 10.0 + 4 / 8.0) / 2);
    double[] none = new double[4 * LogOdds.BINS];
    assertThat(metric(Metric.Kind.AUC).of(none, 5, 6)).isEqualTo(0.5);
    assertThat(metric(Metric.Kind.F1).of(new double[4], 5, 6)).isEqualTo(0.5);
  }

  @ParameterizedTest
  @EnumSource
  void withoutTheRightCharge_noRowIsRead(Metric.Kind kind) {
    int classes = kind == Metric.Kind.SQUARED_ERROR ? Labelling.REAL : 2;
    NoisyScore score =
        metric(kind).noisy(NoiseMultiplier.of(2), Adjacency.REPLACE_ONE, 6, LOSS, classes);
    ReservedCharge cheaper =
        () -> new Charge("score 1", new Gaussian(NoiseMultiplier.of(2), 0.5, 1));
    LinearModel unsuited = LinearModel.zero(2, 1);
    assertThat(score.mechanism().sensitivity())
        .isEqualTo(kind.isMean() ? 1 : Math.nextUp(Math.sqrt(2)));
    assertThatIllegalStateException()
        .isThrownBy(() -> score.score(cheaper, new PrivateRows(ROWS), unsuited, () -> 0));
  }
}
