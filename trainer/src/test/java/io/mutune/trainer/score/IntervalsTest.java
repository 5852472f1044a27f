package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.testing.Thorough;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Intervals against a population: rows (and noise, where counts are noisy) are drawn anew each
 * time. Of 1000 intervals of 95% fewer than 910 hold their figure with probability below 1e-7 by a
 * binomial law; the seeds have no chance.
 */
class IntervalsTest {
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});
  private static final Loss LOSS = new LogisticLoss();
  private static final int TRIALS = 1000;

  private final Map<String, Integer> held = new LinkedHashMap<>();

  private void look(String figure, Estimate interval, double value) {
    assertThat(interval.low()).isLessThanOrEqualTo(interval.value());
    assertThat(interval.high()).isGreaterThanOrEqualTo(interval.value());
    boolean holds = interval.low() <= value && value <= interval.high();
    held.merge(figure, holds ? 1 : 0, Integer::sum);
  }

  private void check() {
    assertThat(held).isNotEmpty();
    held.forEach(
        (figure, count) -> assertThat(count).as("%s of %s", figure, held).isGreaterThan(909));
  }

  /** A fifth of class 1; scores normal about ±1 or so, and the model's probabilities too sure. */
  private static RowBlocks rows(Random random, int count) {
    float[][] rows = new float[count][];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      labels[i] = random.nextDouble() < 0.2 ? 1 : 0;
      rows[i] = new float[] {(float) ((labels[i] == 1 ? 0.7 : -1.3) + 1.5 * random.nextGaussian())};
    }
    return TestRows.blocks(rows, labels);
  }

  private static ClassMetrics metrics(RowBlocks rows) throws UnsuitableRowsException {
    return (ClassMetrics) TestMetrics.of(SIGN, LOSS, new PublicRows(rows));
  }

  @Test
  void ofClasses_holdAsOftenAsTheySay() throws Exception {
    ClassMetrics population = metrics(rows(new Random(1), 200_000));
    Random random = new Random(2);
    for (int trial = 0; trial < TRIALS; trial++) {
      ClassMetrics drawn = metrics(rows(random, 300));
      look(
          "balanced accuracy",
          ClassIntervals.balancedAccuracy(drawn),
          population.balancedAccuracy());
      look("macro F1", ClassIntervals.macroF1(drawn), population.macroF1());
      for (int c = 0; c < 2; c++) {
        ClassMetrics.OfClass of = drawn.classes().get(c);
        ClassMetrics.OfClass all = population.classes().get(c);
        look("precision " + c, ClassIntervals.precision(of), all.precision());
        look("recall " + c, ClassIntervals.recall(of), all.recall());
        look("F1 " + c, ClassIntervals.f1(of), all.f1());
      }
      look(
          "calibration",
          drawn.probabilities().orElseThrow().reliability().errorInterval(),
          population.probabilities().orElseThrow().reliability().error());
    }
    check();
  }

  /** Where every row is right an interval is no single point. */
  @Test
  void ofAModelThatIsAlwaysRight_haveALength() throws Exception {
    ClassMetrics right =
        metrics(TestRows.blocks(new float[][] {{1}, {1}, {-1}, {-1}}, new int[] {1, 1, 0, 0}));
    assertThat(ClassIntervals.macroF1(right).low()).isLessThan(0.8);
    assertThat(ClassIntervals.balancedAccuracy(right).low()).isLessThan(0.8);
    assertThat(ClassIntervals.f1(right.classes().get(0)).low()).isLessThan(0.8);
  }

  /** Student's by hand: t of one degree is 12.7062, of two 4.3027. */
  @Test
  void ofMeansOfFewRows_areStudents_andOfOneAllThatItCouldBe() {
    assertThat(Estimate.ofMean(3, 5, 2, 40).high()).isCloseTo(1.5 + 12.7062 * 0.5, within(1e-4));
    assertThat(Estimate.ofMean(6, 14, 3, 40).high())
        .isCloseTo(2 + 4.3027 / Math.sqrt(3), within(1e-4));
    assertThat(Estimate.ofMean(3, 5, 2, 4)).isEqualTo(new Estimate(1.5, 0, 4));
    assertThat(Estimate.ofMean(3, 9, 1, 4)).isEqualTo(new Estimate(3, 0, 4));
  }

  /** Its loss is log(1 + 1/e), and had it the other class log(1 + e). */
  @Test
  void ofTheLogLossOfOneRow_goesToThatOfTheOtherClass() throws Exception {
    ClassMetrics one = metrics(TestRows.blocks(new float[][] {{1}}, new int[] {1}));

    Estimate loss = one.probabilities().orElseThrow().logLoss();
    assertThat(loss.value()).isCloseTo(Math.log1p(Math.exp(-1)), within(1e-12));
    assertThat(loss.low()).isZero();
    assertThat(loss.high()).isCloseTo(Math.log1p(Math.E), within(1e-12));
  }

  @Test
  void ofFewTargets_holdAsOftenAsTheySay() {
    double population = TargetMetrics.of(SIGN, targets(new Random(1), 200_000)).absolute().value();
    Random random = new Random(6);
    for (int trial = 0; trial < TRIALS; trial++) {
      Estimate drawn = TargetMetrics.of(SIGN, targets(random, 12)).absolute();
      look("absolute error", drawn, population);
    }
    check();
  }

  private static RowBlocks targets(Random random, int count) {
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int from = 0; from < count; from += RowBlocks.BLOCK_ROWS) {
      float[] said = new float[Math.min(RowBlocks.BLOCK_ROWS, count - from)];
      int[] codes = new int[said.length];
      for (int i = 0; i < said.length; i++) {
        double target = Math.max(-1, Math.min(1, 0.2 + 0.4 * random.nextGaussian()));
        codes[i] = TargetRange.code(target);
        said[i] = (float) (0.8 * target + 0.2 * random.nextGaussian());
      }
      blocks.add(new RowBlocks.Block(said, codes));
    }
    return new RowBlocks(1, blocks, true);
  }

  /** So much noise can make a sum of squares negative, and no model is better than right. */
  @Test
  void r2OfErrorsBelowNothing_isAtMostOne_andItsEndsInOrder() {
    Estimate r2 =
        new NoisyTargetMetrics(new PublicUnits(300, 1), 3, -40, 150, 120).r2().orElseThrow();

    assertThat(r2).isEqualTo(new Estimate(1, 1, 1));
  }

  @Test
  void ofTargets_holdAsOftenAsTheySay_onPublicRowsAndFromNoisySums() throws Exception {
    TargetMetrics population = TargetMetrics.of(SIGN, targets(new Random(1), 200_000));
    Random random = new Random(3);
    for (int trial = 0; trial < TRIALS; trial++) {
      RowBlocks rows = targets(random, 300);
      TargetMetrics drawn = TargetMetrics.of(SIGN, rows);
      look("squared error", drawn.squared(), population.square());
      look("R2", drawn.explained().orElseThrow(), population.r2().orElseThrow());
      double[] sums = CountSum.of(Counts.squares(), SIGN, rows);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += 3 * random.nextGaussian();
      }
      NoisyTargetMetrics noisy = NoisyTargetMetrics.of(new PublicUnits(300, 1), 3, sums);
      look("noisy squared error", noisy.square(), population.square());
      look("noisy R2", noisy.r2().orElse(new Estimate(0, -9e9, 1)), population.r2().orElseThrow());
    }
    check();
  }

  @Test
  @Thorough
  void ofBins_holdAsOftenAsTheySay_withLittleNoiseAndWithMuch() throws Exception {
    RowBlocks all = rows(new Random(1), 200_000);
    ClassMetrics population = metrics(all);
    double logLoss = population.probabilities().orElseThrow().logLoss().value();
    NoisyBinMetrics binned =
        NoisyBinMetrics.of(
            new PublicUnits(200_000, 1), 0, 2, CountSum.of(Counts.bins(LOSS, 2), SIGN, all));
    double area = population.macroRanking().orElseThrow().auc().value();
    List<Double> shares = binned.bins(0).stream().map(bin -> bin.frequency().value()).toList();
    for (double sigma : new double[] {1, 12}) {
      Random random = new Random(4);
      for (int trial = 0; trial < TRIALS; trial++) {
        double[] cells = CountSum.of(Counts.bins(LOSS, 2), SIGN, rows(random, 500));
        for (int i = 0; i < cells.length; i++) {
          cells[i] += sigma * random.nextGaussian();
        }
        NoisyBinMetrics noisy = NoisyBinMetrics.of(new PublicUnits(500, 1), sigma, 2, cells);
        look("AUC at " + sigma, noisy.auc(0), area);
        look("log loss at " + sigma, noisy.logLoss(), logLoss);
        look("Brier at " + sigma, noisy.brier(), brier(all));
        look("share at " + sigma, noisy.share(0), population.share(1));
        look(
            "average precision at " + sigma,
            noisy.averagePrecision(0),
            binned.averagePrecision(0).value());
        for (int bin = 2; bin < 8; bin++) {
          look("bin " + bin + " at " + sigma, noisy.bins(0).get(bin).frequency(), shares.get(bin));
        }
      }
    }
    check();
  }

  private double brier = Double.NaN;

  private double brier(RowBlocks rows) {
    if (Double.isNaN(brier)) {
      double sum = 0;
      for (RowBlocks.Block block : rows.blocks()) {
        for (int i = 0; i < block.rows(); i++) {
          double off = 1 / (1 + Math.exp(-block.features()[i])) - block.labels()[i];
          sum += off * off;
        }
      }
      brier = sum / rows.rows();
    }
    return brier;
  }

  /** Without noise bins say what the rows say, to what a bin leaves open. */
  @Test
  void bins_agreeWithTheRowsThemselves() throws Exception {
    RowBlocks rows = rows(new Random(5), 20_000);
    ClassMetrics exact = metrics(rows);
    NoisyBinMetrics binned =
        NoisyBinMetrics.of(
            new PublicUnits(20_000, 1), 0, 2, CountSum.of(Counts.bins(LOSS, 2), SIGN, rows));
    Ranking ranking = exact.macroRanking().orElseThrow();
    assertThat(binned.right() / 20_000).isCloseTo(exact.accuracy().value(), within(1e-12));
    assertThat(binned.auc(0).value()).isCloseTo(ranking.auc().value(), within(0.01));
    assertThat(binned.averagePrecision(0).value())
        .isCloseTo(exact.rankings().get(1).orElseThrow().averagePrecision().value(), within(0.05));
    Probabilities probabilities = exact.probabilities().orElseThrow();
    assertThat(binned.logLoss().value()).isCloseTo(probabilities.logLoss().value(), within(0.05));
    assertThat(binned.logLossBaseline()).isCloseTo(probabilities.baseline(), within(1e-9));
  }

  @Test
  void curves_startAtTheHighestThresholdAndEndWithEveryRow() throws Exception {
    Ranking ranking = metrics(rows(new Random(6), 5000)).rankings().get(1).orElseThrow();
    List<Ranking.Point> curve = new ArrayList<>(ranking.curve());
    assertThat(curve).hasSize(51);
    Ranking.Point last = curve.get(curve.size() - 1);
    assertThat(last.recall()).isOne();
    assertThat(last.falsePositives()).isOne();
    double area = 0;
    double before = 0;
    double height = 0;
    for (Ranking.Point point : curve) {
      assertThat(point.recall()).isGreaterThanOrEqualTo(height);
      area += (point.falsePositives() - before) * (point.recall() + height) / 2;
      before = point.falsePositives();
      height = point.recall();
    }
    // Straight lines between fifty points of a curve that bends by less than this.
    assertThat(area).isCloseTo(ranking.auc().value(), within(4e-3));
  }
}
