package io.mutune.trainer.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LossTest {
  private static final Loss SOFTMAX = new SoftmaxLoss();
  private static final Loss LOGISTIC = new LogisticLoss();

  /** A central difference at h = 1e-4 is off by h²/6 · |ℓ'''| < 1e-9 and rounding of 1e-11. */
  @Property
  void softmaxResidual_isTheSlopeOfTheCrossEntropy(
      @ForAll @Size(4) List<@DoubleRange(min = -20, max = 20) Double> logits,
      @ForAll @IntRange(max = 3) int label) {
    double[] z = logits.stream().mapToDouble(x -> x).toArray();
    double[] residual = residual(SOFTMAX, label, z);
    for (int c = 0; c < z.length; c++) {
      double[] up = z.clone();
      double[] down = z.clone();
      up[c] += 1e-4;
      down[c] -= 1e-4;
      double slope = (crossEntropy(up, label) - crossEntropy(down, label)) / 2e-4;
      assertThat(residual[c]).isCloseTo(slope, within(1e-8));
    }
  }

  /** Softmax over the logits (0, z) is the logistic function of z. */
  @Property
  void logisticResidual_isTheSoftmaxOfTwoLogits(
      @ForAll @DoubleRange(min = -700, max = 700) double z, @ForAll @IntRange(max = 1) int label) {
    assertThat(residual(LOGISTIC, label, z)[0])
        .isCloseTo(residual(SOFTMAX, label, 0, z)[1], within(1e-15));
  }

  @Test
  void hugeLogits_neverOverflow() {
    assertThat(residual(SOFTMAX, 1, 1e300, -1e300, 0)).containsExactly(1, -1, 0);
    assertThat(residual(LOGISTIC, 0, 1e300)).containsExactly(1);
    assertThat(residual(LOGISTIC, 1, -1e300)).containsExactly(-1);
    assertThat(residual(LOGISTIC, 1, 1e300)[0]).isZero();
  }

  @Test
  void names_areThoseOfSweeps() {
    assertThat(Loss.all())
        .extracting(LossType::key)
        .containsExactly("softmax", "logistic", "hinge", "huber-hinge", "squared");
  }

  @Test
  void realTargets_haveTheSquaredLossAlone() {
    assertThat(new SquaredLoss(2, true).columns(0)).isEqualTo(1);
    for (Loss loss : List.of(SOFTMAX, LOGISTIC, new HingeLoss(), new HuberHingeLoss(0.5))) {
      assertThatIllegalArgumentException().isThrownBy(() -> loss.columns(0));
    }
  }

  @Test
  void columns_followTheClasses() {
    assertThat(SOFTMAX.columns(10)).isEqualTo(10);
    assertThat(LOGISTIC.columns(2)).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> LOGISTIC.columns(3));
    assertThatIllegalArgumentException().isThrownBy(() -> SOFTMAX.columns(1));
  }

  private static double[] residual(Loss loss, int label, double... logits) {
    double[] residual = logits.clone();
    loss.toResidual(residual, label);
    return residual;
  }

  private static double crossEntropy(double[] z, int label) {
    double greatest = 0;
    for (double x : z) {
      greatest = Math.max(greatest, x);
    }
    double sum = 0;
    for (double x : z) {
      sum += Math.exp(x - greatest);
    }
    return greatest + Math.log(sum) - z[label];
  }
}
