package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.pld.ConnectTheDots.Core;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The optimistic grid of single losses, against what merging outputs may do at most. */
class MergedCellsTest {
  private static Range all(PrivacyLoss loss) {
    double[] marks = loss.landmarks();
    double top = marks[marks.length - 1];
    return new Range(marks[0], top, List.of(new Core(marks[0], top)));
  }

  static Stream<PrivacyLoss> losses() {
    return Stream.of(
        new GaussianLoss(1.1),
        new GaussianLoss(45),
        new LaplaceLoss(2.5),
        new LaplaceLoss(900),
        new RandomisedResponseLoss(1.25, 1e-3),
        new PoissonSubsampledLoss(new GaussianLoss(1.5), 0.01),
        new PoissonSubsampledLoss(new GaussianLoss(1.5), 0.01).reversed(),
        new PoissonSubsampledLoss(new LaplaceLoss(1.5), 0.3),
        new ReplaceOneLoss(0.8, 0.02),
        new ReplaceOneLoss(0.04, 0.5));
  }

  /** P's mass from any loss upwards is no more than the pair's, at that very loss. */
  @ParameterizedTest
  @MethodSource("losses")
  void massesFromAnyPointUp_areNoMoreThanThePairs(PrivacyLoss loss) {
    Range range = all(loss);
    double spacing = (range.top() - range.bottom()) / 333;
    LossMeasure merged = MergedCells.of(loss, spacing, range, 1);
    double above = 0;
    for (int i = merged.masses().length - 1; i >= 0; i--) {
      above += merged.masses()[i];
      // Merged outputs are no lower than the cell's lower end, half a cell below its point and
      // more by at most a cell for the grid.
      double place = (merged.first() + i) * spacing + merged.shift() - 1.5 * spacing;
      Split s = loss.at(place);
      assertThat(above).isLessThanOrEqualTo(s.pAbove() * (1 + s.relative() + 1e-12) + 1e-307);
    }
    assertThat(merged.infinite()).isLessThanOrEqualTo(loss.infinite());
  }

  /** Their mean is below the pair's mean by two cells at most, and never above. */
  @ParameterizedTest
  @MethodSource("losses")
  void deltas_areBelowTheTruthAndNoFartherThanTwoCells(PrivacyLoss loss) {
    Range range = all(loss);
    double spacing = (range.top() - range.bottom()) / 299;
    for (double tilt : new double[] {0, 30}) {
      LossMeasure merged = MergedCells.of(loss, spacing, range, tilt);
      ExactLosses exact = ExactLosses.of(merged);
      for (int i = 0; i < 6; i++) {
        double epsilon = range.bottom() + (range.top() - range.bottom()) * (i + 0.4) / 6;
        double above = SingleLoss.deltaAbove(loss, epsilon);
        double below = SingleLoss.bound(loss, epsilon + 2.1 * spacing, -1);
        assertThat(exact.delta(epsilon).doubleValue()).isBetween(below * (1 - 1e-9) - 1e-12, above);
      }
    }
  }

  @Test
  void tilts_chooseTheShiftThatLosesLeastWhereTheyLook() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(1), 0.1);
    Range range = all(loss);
    double spacing = 0.05;
    double low = mean(MergedCells.of(loss, spacing, range, 0), 0);
    double high = mean(MergedCells.of(loss, spacing, range, 12), 0);
    assertThat(low).isGreaterThanOrEqualTo(high);
    double lowTilted = mean(MergedCells.of(loss, spacing, range, 0), 12);
    double highTilted = mean(MergedCells.of(loss, spacing, range, 12), 12);
    assertThat(highTilted).isGreaterThanOrEqualTo(lowTilted);
  }

  /** The mean loss under a tilt. */
  private static double mean(LossMeasure measure, double tilt) {
    double sum = 0;
    double all = 0;
    for (int i = 0; i < measure.masses().length; i++) {
      double loss = (measure.first() + i) * measure.spacing() + measure.shift();
      double weight = measure.masses()[i] * Math.exp(tilt * loss);
      sum += weight * loss;
      all += weight;
    }
    return sum / all;
  }

  /** Losses of which Q has no double, and losses far smaller than the rounding of logarithms. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-14, 1e-10, 1, 40, 60})
  void veryLargeAndVerySmallLosses_areNotLost(double mu) {
    PrivacyLoss loss = new GaussianLoss(mu);
    Range range = all(loss);
    double spacing = (range.top() - range.bottom()) / 4000;
    LossMeasure merged = MergedCells.of(loss, spacing, range, 0);
    assertThat(merged.total()).isBetween(1 - 1e-9, 1.0);
    // The mean loss is μ²/2, of which at most a cell and a half is given away.
    assertThat(mean(merged, 0)).isBetween(mu * mu / 2 - 1.6 * spacing, mu * mu / 2);
  }

  /** Once these had a measure without any mass, and the window's top for a lower end. */
  @Test
  void manyTinyLosses_haveALowerEndThatIsTrueAndNotZero() {
    long count = 10_000;
    double scale = 1e6;
    Mechanism tiny = new Laplace(scale, 1, count);
    EpsilonInterval interval =
        PldAccountant.of(List.of(tiny), Adjacency.ADD_REMOVE).interval(Delta.of(1e-5));
    // Its losses are at most 10⁻⁶, with a variance of 10⁻¹²: nearly one normal loss of μ = 10⁻⁴.
    double mu = Math.sqrt((double) count) / scale;
    double most = SingleLoss.epsilonAbove(new GaussianLoss(mu), 1e-5);
    assertThat(interval.lower()).isPositive().isLessThan(most * 1.001);
    // Rounding of ten thousand masses is not small against this δ.
    assertThat(interval.upper()).isBetween(0.999 * most, 2 * most);
    assertThat(interval.lower()).isGreaterThan(0.5 * most);
  }

  @Test
  void ratesNextToNothing_costNothingFromBelow() {
    EpsilonInterval interval =
        PldAccountant.of(
                List.of(new SubsampledGaussian(NoiseMultiplier.of(1), 1e-300, 1, 1000)),
                Adjacency.ADD_REMOVE)
            .interval(Delta.of(1e-5));
    // No event has more than 1000·10⁻³⁰⁰, which δ covers at ε = 0.
    assertThat(interval.lower()).isZero();
    assertThat(interval.upper()).isFinite();
  }

  /** Beyond the range nothing is added anywhere: what is there is dropped. */
  @Test
  void whatIsOutOfRange_isDropped() {
    PrivacyLoss loss = new GaussianLoss(2);
    Range range = new Range(-1, 4, List.of(new Core(-1, 4)));
    LossMeasure merged = MergedCells.of(loss, 0.1, range, 0);
    double inside = loss.at(4.2).pBelow() - loss.at(-1.25).pBelow();
    assertThat(merged.total()).isLessThan(inside);
    assertThat(merged.total()).isGreaterThan(loss.at(4).pBelow() - loss.at(-1).pBelow());
    assertThat(ExactLosses.of(merged).infinite()).isEqualTo(BigDecimal.ZERO);
  }
}
