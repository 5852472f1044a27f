package io.mutune.trainer.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.trainer.format.TargetRange;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hinge, Huberised hinge and squared loss: their slopes, their kinks and their bounds. */
class MarginLossTest {
  private static final double H = 1e-4;

  /**
   * The loss is quadratic in pieces, so a central difference is exact but where it straddles a
   * joint: there it is off by h/(4·width) at most, and rounding is below 1e-10.
   */
  @Property
  void huberHingeResidual_isTheSlopeOfItsLoss(
      @ForAll @DoubleRange(min = -5, max = 5) double z,
      @ForAll @IntRange(max = 1) int label,
      @ForAll @DoubleRange(min = 0.1, max = 1) double width) {
    double slope = (huberHinge(z + H, label, width) - huberHinge(z - H, label, width)) / (2 * H);
    assertThat(residual(new HuberHingeLoss(width), label, z)[0])
        .isCloseTo(slope, within(H / (4 * width) + 1e-10));
  }

  @Test
  void hingeResidual_isOneOrNothing() {
    Loss hinge = new HingeLoss();
    assertThat(residual(hinge, 1, 0.999)).containsExactly(-1);
    assertThat(residual(hinge, 1, 1)[0]).isZero();
    assertThat(residual(hinge, 0, -0.999)).containsExactly(1);
    assertThat(residual(hinge, 0, -1)[0]).isZero();
    assertThat(residual(hinge, 2, 0, 0, 0)).containsExactly(1, 1, -1);
    assertThat(residual(hinge, 2, -2, 0.5, 2)).containsExactly(-0.0, 1, 0);
  }

  @Test
  void huberHinge_meetsTheHingeOutsideItsWidth() {
    Loss huber = new HuberHingeLoss(0.25);
    for (double z : new double[] {-1e300, -3, 0.75}) {
      assertThat(residual(huber, 1, z)).containsExactly(-1);
    }
    assertThat(residual(huber, 1, 1.25)[0]).isZero();
    assertThat(residual(huber, 1, 1)[0]).isEqualTo(-0.5);
  }

  @Property
  void squaredResidual_isHeldWithinItsBound(
      @ForAll double z,
      @ForAll @DoubleRange(min = -1, max = 1) double target,
      @ForAll @DoubleRange(min = 1, max = 100) double bound) {
    double r = residual(new SquaredLoss(bound, true), TargetRange.code(target), z)[0];
    assertThat(Math.abs(r)).isLessThanOrEqualTo(bound + 1);
    if (Math.abs(z) <= bound) {
      // A target is kept to half a unit of 2^-30.
      assertThat(r).isCloseTo(z - target, within(Math.scalb(1.0, -31) + 1e-13));
    }
  }

  @Test
  void squaredLossOfClasses_aimsAtTheirSigns() {
    Loss squared = new SquaredLoss(2, false);
    assertThat(residual(squared, 1, 0.25)).containsExactly(-0.75);
    assertThat(residual(squared, 0, 0.25)).containsExactly(1.25);
    assertThat(residual(squared, 1, 0, 3, -3)).containsExactly(1, 1, -1);
  }

  @Test
  void logitsThatAreNoNumbers_giveResidualsThatAreNone() {
    for (Loss loss :
        new Loss[] {new HingeLoss(), new HuberHingeLoss(0.5), new SquaredLoss(2, false)}) {
      assertThat(residual(loss, 1, Double.NaN)).containsExactly(Double.NaN);
    }
  }

  @Test
  void aTargetThatIsNoCode_isNotAdmitted() {
    Loss squared = new SquaredLoss(2, true);
    assertThat(squared.admits(-TargetRange.ONE, 0)).isTrue();
    assertThat(squared.admits(TargetRange.ONE + 1, 0)).isFalse();
    assertThat(new HingeLoss().admits(2, 2)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1.5, Double.NaN, -1})
  void widthsBeyondOne_areRefused(double width) {
    assertThatIllegalArgumentException().isThrownBy(() -> new HuberHingeLoss(width));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.99, 1e7, Double.NaN})
  void boundsThatCutTargets_areRefused(double bound) {
    assertThatIllegalArgumentException().isThrownBy(() -> new SquaredLoss(bound, true));
  }

  private static double huberHinge(double z, int label, double h) {
    double m = label == 1 ? z : -z;
    if (m >= 1 + h) {
      return 0;
    }
    return m <= 1 - h ? 1 - m : (1 + h - m) * (1 + h - m) / (4 * h);
  }

  private static double[] residual(Loss loss, int label, double... logits) {
    double[] residual = logits.clone();
    loss.toResidual(residual, label);
    return residual;
  }
}
