package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RankingTest {
  private static Ranking of(double[] of, double... others) {
    return Ranking.of(of.clone(), others.clone());
  }

  /** Every pair counted, and every threshold taken. */
  @Test
  void areaAndPrecision_areThoseOfTheirDefinitions_tiesIncluded() {
    Random random = new Random(5);
    for (int trial = 0; trial < 200; trial++) {
      double[] of = random.ints(1 + random.nextInt(9), 0, 7).asDoubleStream().toArray();
      double[] others = random.ints(1 + random.nextInt(9), 0, 7).asDoubleStream().toArray();
      double pairs = 0;
      double precision = 0;
      for (double one : of) {
        double reached = 0;
        double wrong = 0;
        for (double other : of) {
          reached += other >= one ? 1 : 0;
        }
        for (double other : others) {
          pairs += one > other ? 1 : one == other ? 0.5 : 0;
          wrong += other >= one ? 1 : 0;
        }
        precision += reached / (reached + wrong) / of.length;
      }
      Ranking ranking = of(of, others);
      assertThat(ranking.auc().value()).isCloseTo(pairs / of.length / others.length, within(1e-12));
      assertThat(ranking.averagePrecision().value()).isCloseTo(precision, within(1e-12));
    }
  }

  /** The ends are where the area is 1.96 deviations off, by their own deviation. */
  @Test
  void theInterval_endsWhereTheAreaIsJustPossible() {
    double[] of = {5, 4, 4, 3, 1};
    double[] others = {4, 3, 2, 2, 1, 0, 0};
    Estimate auc = of(of, others).auc();
    for (double end : new double[] {auc.low(), auc.high()}) {
      assertThat(Math.abs(auc.value() - end))
          .isCloseTo(1.959964 * Math.sqrt(Ranking.variance(end, 5, 7)), within(1e-6));
    }
  }

  @Test
  void whereEveryPairIsRight_theIntervalStillSaysHowFewThereAre() {
    assertThat(of(new double[] {2, 3}, 0, 1).auc().low()).isBetween(0.2, 0.6);
    assertThat(of(new double[] {2, 3}, 0, 1).auc().high()).isEqualTo(1);
    assertThat(of(new double[] {0}, 1, 2).auc().low()).isZero();
  }

  /**
   * Scores of two normals, where the true area is Φ(1/√2) = 0.7602. Of 2000 intervals of 95% a
   * binomial law has fewer than 1850 hold it with probability below 1e-5; this seed has no chance.
   */
  @Test
  void theInterval_holdsTheTrueAreaAsOftenAsItSays() {
    Random random = new Random(11);
    int held = 0;
    for (int trial = 0; trial < 2000; trial++) {
      double[] of = random.doubles(30).map(u -> random.nextGaussian() + 1).toArray();
      double[] others = random.doubles(60).map(u -> random.nextGaussian()).toArray();
      Estimate auc = of(of, others).auc();
      held += auc.low() <= 0.760250 && auc.high() >= 0.760250 ? 1 : 0;
    }
    assertThat(held).isBetween(1850, 1960);
  }
}
