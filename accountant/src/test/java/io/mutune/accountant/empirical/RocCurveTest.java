package io.mutune.accountant.empirical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RocCurveTest {
  @Test
  void aSmallCurve_isTheOneByHand() {
    RocCurve curve = RocCurve.of(new double[] {3, 2, 1}, new double[] {2, 0});

    assertThat(curve.points())
        .isEqualTo(
            List.of(
                new RocCurve.Point(0, 0),
                new RocCurve.Point(0, 1 / 3.0),
                new RocCurve.Point(0.5, 2 / 3.0),
                new RocCurve.Point(0.5, 1),
                new RocCurve.Point(1, 1)));
    // Of six pairs four are in order and one is a tie.
    assertThat(curve.area()).isCloseTo(4.5 / 6, Offset.offset(1e-15));
    assertThat(curve.truePositivesAt(0)).isEqualTo(1 / 3.0);
    assertThat(curve.truePositivesAt(0.49)).isEqualTo(1 / 3.0);
    assertThat(curve.truePositivesAt(0.5)).isEqualTo(1);
  }

  @Test
  void theArea_isTheShareOfPairsInOrder() {
    SplittableRandom random = new SplittableRandom(3);
    double[] in = random.ints(200, 0, 40).asDoubleStream().toArray();
    double[] out = random.ints(150, -10, 30).asDoubleStream().toArray();
    double pairs = 0;
    for (double i : in) {
      for (double o : out) {
        pairs += i > o ? 1 : i == o ? 0.5 : 0;
      }
    }
    assertThat(RocCurve.of(in, out).area()).isCloseTo(pairs / (200 * 150), Offset.offset(1e-12));
  }

  @Test
  void separatedScores_leaveNothingToGuess_andInfiniteOnesCount() {
    RocCurve curve = RocCurve.of(new double[] {1 / 0.0}, new double[] {-1 / 0.0, 0});

    assertThat(curve.area()).isEqualTo(1);
    assertThat(curve.truePositivesAt(0)).isEqualTo(1);
    assertThat(RocCurve.of(new double[] {0}, new double[] {0}).area()).isEqualTo(0.5);
  }

  @Test
  void noRowsOnOneSide_orNoNumber_isRefused() {
    assertThatThrownBy(() -> RocCurve.of(new double[0], new double[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RocCurve.of(new double[1], new double[] {Double.NaN}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
