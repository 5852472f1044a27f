package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.empirical.RocCurve;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.Metric;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MembershipTest {
  private static final int CLASSES = 3;

  @Test
  void scores_areTheLossesTurned_andConfidencesTheirOdds() {
    KnownRows rows = new KnownRows(2, new float[][] {{1, 0}, {0, 1}}, new int[] {0, 1});
    LinearModel model = new LinearModel(2, 2, new double[] {2, 0, 0, 0});
    double q = 1 / (1 + Math.exp(-2));

    assertThat(LossAttack.scores(model, rows, Attacked.LOSS))
        .containsExactly(new double[] {Math.log(q), Math.log(0.5)}, Offset.offset(1e-12));
    assertThat(LossAttack.confidences(model, rows, Attacked.LOSS))
        .containsExactly(new double[] {2, 0}, Offset.offset(1e-12));
    Counts right = Metric.ACCURACY.counts(Attacked.LOSS, 2);
    assertThat(CountAttack.vectors(right, model, rows)).isDeepEqualTo(new double[][] {{1}, {0}});
  }

  @Test
  void modelsThatOverflow_giveNumbersAllTheSame() {
    KnownRows rows = new KnownRows(1, new float[][] {{1}, {1}}, new int[] {0, 1});
    LinearModel wild = new LinearModel(1, 2, new double[] {1e308, -1e308});
    LinearModel broken = new LinearModel(1, 2, new double[] {Double.NaN, 0});

    assertThat(LossAttack.confidences(wild, rows, Attacked.LOSS)).containsExactly(50, -50);
    assertThat(LossAttack.scores(broken, rows, Attacked.LOSS)).containsOnly(-1e300);
    assertThat(LossAttack.confidences(broken, rows, Attacked.LOSS)).containsOnly(-50);
  }

  /** In laws of N(1, 1) and N(−1, 1) the logarithm of the ratio is 2x. */
  @Test
  void theLikelihoodRatio_isThatOfTwoNormalLaws() {
    double[][] references = {{0}, {2}, {-2}, {0}, {9}};
    boolean[][] member = {{true}, {true}, {false}, {false}, {false}};

    double[] score =
        LikelihoodRatio.scores(
            Arrays.copyOf(references, 4), Arrays.copyOf(member, 4), new double[] {0.7});
    // Both variances are 2.
    assertThat(score[0]).isCloseTo(0.7, Offset.offset(1e-12));
    assertThat(
            LikelihoodRatio.scores(
                Arrays.copyOf(references, 3), Arrays.copyOf(member, 3), new double[] {0.7}))
        .containsExactly(0);
  }

  /**
   * Without noise to speak of, 60 rows of 60 features with labels that mean nothing are remembered;
   * with all the noise of ε = 1 or so nobody is told from anybody. Areas of 60 rows against 60 have
   * a deviation of 0.053; seeds are fixed.
   */
  @Test
  void noise_hidesWhoTookPart() {
    SplittableRandom random = new SplittableRandom(4);
    KnownRows all =
        new KnownRows(
            60,
            IntStream.range(0, 120).mapToObj(i -> row(random)).toArray(float[][]::new),
            random.ints(120, 0, CLASSES).toArray());
    KnownRows in = all.only(IntStream.range(0, 60).toArray());
    KnownRows out = all.only(IntStream.range(60, 120).toArray());

    assertThat(area(in, out, 1e-3)).isGreaterThan(0.75);
    assertThat(area(in, out, 100)).isBetween(0.25, 0.75);
  }

  private static float[] row(SplittableRandom random) {
    float[] row = new float[60];
    for (int j = 0; j < row.length; j++) {
      row[j] = (float) (random.nextGaussian() / Math.sqrt(60));
    }
    return row;
  }

  private static double area(KnownRows in, KnownRows out, double sigma) {
    LinearModel model = new Attacked(CLASSES, 1, sigma, 30).publicRows(60).run(in).model();
    return RocCurve.of(
            LossAttack.scores(model, in, Attacked.LOSS),
            LossAttack.scores(model, out, Attacked.LOSS))
        .area();
  }
}
