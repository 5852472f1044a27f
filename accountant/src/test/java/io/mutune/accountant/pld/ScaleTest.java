package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** What masses of a tilted sum stand for, with all errors on the private side. */
class ScaleTest {
  private static final Window WINDOW = new Window(0.5, 1024, -8, 2, 3, 1, 0);

  private static Scale scale(double relative, double most, double least, double above) {
    return new Scale(WINDOW, 0.25, 1e-6, -3, relative, most, least, above, 0);
  }

  @Test
  void unitsOfAPlace_areTheExponentialOfTheScale() {
    Scale scale = scale(0, 0, 0, 0);
    // e^(−3 − 2ℓ) at ℓ = 1, of 0.5 units; the last digits go up and down.
    double exact = 0.5 * Math.exp(-5);
    assertThat(scale.deltaAbove(1, 0.5)).isGreaterThan(exact).isCloseTo(exact, within(1e-16));
    assertThat(scale.deltaBelow(1, 0.5)).isLessThan(exact).isCloseTo(exact, within(1e-16));
  }

  @Test
  void errorsOfTheScale_areExponentsOnBothSides() {
    Scale scale = scale(0.1, 0, 0, 0);
    double exact = 0.5 * Math.exp(-5);
    assertThat(scale.deltaAbove(1, 0.5)).isCloseTo(exact * Math.exp(0.1), within(1e-15));
    assertThat(scale.deltaBelow(1, 0.5)).isCloseTo(exact * Math.exp(-0.1), within(1e-15));
  }

  @Test
  void infiniteAndCutOffMasses_areAddedOnTheRightSideOnly() {
    Scale scale = scale(0, 0.02, 0.01, 0.003);
    double finite = 0.5 * Math.exp(-5);
    assertThat(scale.deltaAbove(1, 0.5)).isCloseTo(finite + 0.023, within(1e-15));
    assertThat(scale.deltaBelow(1, 0.5)).isCloseTo(finite + 0.01, within(1e-15));
  }

  @Test
  void aProbability_isAtMostOneAndWhatIsNoNumberIsOne() {
    assertThat(scale(0, 0.7, 0, 0.6).deltaAbove(1, 0)).isEqualTo(1);
    assertThat(scale(Double.POSITIVE_INFINITY, 0, 0, 0).deltaAbove(1, 0.1)).isEqualTo(1);
    assertThat(scale(0, Double.NaN, 0, 0).deltaAbove(1, 0.1)).isEqualTo(1);
    assertThat(Scale.atMostOne(Double.NaN)).isEqualTo(1);
    assertThat(Scale.atMostOne(0.25)).isEqualTo(0.25);
  }

  /** No sum is believed to be 0: something may have underflowed on the way. */
  @Test
  void nothing_isNeverSaidToBeLeft() {
    assertThat(scale(0, 0, 0, 0).deltaAbove(1, 0)).isPositive().isLessThan(1e-300);
  }

  /** δ(ε) ≤ e^(K − λε) is solved for ε. */
  @Test
  void chernoffsEpsilon_isWhereItsBoundIsDelta() {
    double epsilon = scale(0, 0, 0, 0).chernoff(1e-9);
    assertThat(Math.exp(-3 - 2 * epsilon)).isCloseTo(1e-9, within(1e-22));
    assertThat(scale(0, 1e-10, 0, 0).chernoff(1e-9)).isGreaterThan(epsilon);
    assertThat(scale(0, 1e-9, 0, 0).chernoff(1e-9)).isInfinite();
    Window flat = new Window(0.5, 1024, -8, 0, 3, 1, 0);
    assertThat(new Scale(flat, 0, 0, -3, 0, 0, 0, 0, 0).chernoff(1e-9)).isInfinite();
  }

  @Test
  void losses_areShiftedFromTheGridWithTheShiftsOwnError() {
    Scale scale = scale(0, 0, 0, 0);
    assertThat(scale.lossAbove(2)).isBetween(2.25 + 1e-6, 2.25 + 1.001e-6);
    assertThat(scale.lossBelow(2)).isBetween(2.25 - 1.001e-6, 2.25 - 1e-6);
    assertThat(scale.onGridBelow(2.25)).isBetween(2 - 1.001e-6, 2 - 1e-6);
    assertThat(scale.lossAbove(Double.POSITIVE_INFINITY)).isInfinite();
  }

  /**
   * A shift that cancels the place leaves an error of the shift's size, not of the difference's.
   */
  @Test
  void whereShiftAndPlaceCancel_theErrorIsTheirs() {
    Scale scale = new Scale(WINDOW, -1000, 0, 0, 0, 0, 0, 0, 0);
    double loss = 1000 + 0x1p-40;
    assertThat(scale.lossAbove(loss) - 0x1p-40).isGreaterThan(1000 * 0x1p-53);
    assertThat(scale.lossBelow(loss) - 0x1p-40).isLessThan(-1000 * 0x1p-53);
  }

  @Test
  void theWindowsEnds_areItsFirstAndLastPoint() {
    assertThat(WINDOW.lowest()).isEqualTo(-4);
    assertThat(WINDOW.highest()).isEqualTo((1024 - 9) * 0.5);
  }
}
