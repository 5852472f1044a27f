package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.pld.ConnectTheDots.Core;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The pessimistic grid of single losses, against naive ones and against the losses' exact δ. */
class ConnectTheDotsTest {
  private static Range all(double bottom, double top) {
    return new Range(bottom, top, List.of(new Core(bottom, top)));
  }

  /** The definition in 60 digits: masses of a cell on its ends so that P's and Q's are kept. */
  private static BigDecimal[] naiveLaplace(double epsilon, double spacing, int cells) {
    BigDecimal[] masses = new BigDecimal[2 * cells + 1];
    Arrays.fill(masses, BigDecimal.ZERO);
    BigDecimal two = BigDecimal.valueOf(2);
    for (int i = -cells; i < cells; i++) {
      // P(L ≤ ℓ) = e^((ℓ − ε)/2)/2 and Q(L ≤ ℓ) = 1 − e^(−(ℓ + ε)/2)/2 inside, 1 at the end.
      BigDecimal a = new BigDecimal(i * spacing);
      BigDecimal b = new BigDecimal((i + 1) * spacing);
      BigDecimal e = new BigDecimal(epsilon);
      BigDecimal pa = Digits.exp(a.subtract(e).divide(two)).divide(two);
      BigDecimal pb =
          i + 1 == cells ? BigDecimal.ONE : Digits.exp(b.subtract(e).divide(two)).divide(two);
      BigDecimal qa =
          BigDecimal.ONE.subtract(Digits.exp(a.add(e).divide(two).negate()).divide(two));
      BigDecimal qb =
          i + 1 == cells
              ? BigDecimal.ONE
              : BigDecimal.ONE.subtract(Digits.exp(b.add(e).divide(two).negate()).divide(two));
      BigDecimal p = pb.subtract(pa);
      BigDecimal q = qb.subtract(qa);
      BigDecimal drop = BigDecimal.ONE.subtract(Digits.exp(a.subtract(b)));
      BigDecimal up = p.subtract(Digits.exp(a).multiply(q)).divide(drop, Digits.FIFTY);
      masses[i + cells] = masses[i + cells].add(p.subtract(up));
      masses[i + cells + 1] = masses[i + cells + 1].add(up);
    }
    masses[0] = masses[0].add(Digits.exp(-epsilon).divide(two));
    return masses;
  }

  @ParameterizedTest
  @CsvSource({"1, 16", "0.125, 8", "4, 64"})
  void laplace_isOnThePointsOfTheDefinition(double epsilon, int cells) {
    double spacing = epsilon / cells;
    LossMeasure dots = ConnectTheDots.of(new LaplaceLoss(epsilon), spacing, all(-epsilon, epsilon));
    BigDecimal[] naive = naiveLaplace(epsilon, spacing, cells);
    double[] found = new double[naive.length];
    for (int i = 0; i < dots.masses().length; i++) {
      int place = (int) (dots.first() + i) + cells;
      if (place >= 0 && place < found.length) {
        found[place] = dots.masses()[i];
      } else {
        assertThat(dots.masses()[i]).isLessThan(1e-15);
      }
    }
    for (int i = 0; i < found.length; i++) {
      // Rounding of a tail over the width of a cell.
      double room = 1e-13 * cells / epsilon;
      assertThat(found[i]).isCloseTo(naive[i].doubleValue(), within(room));
    }
    assertThat(dots.infinite()).isLessThan(1e-300);
  }

  @Test
  void aResponse_isOnItsLatticeAndNowhereElse() {
    LossMeasure dots = ConnectTheDots.of(new RandomisedResponseLoss(3, 0.25), 3, all(-3, 3));
    double truth = 0.75 / (1 + Math.exp(-3));
    for (int i = 0; i < dots.masses().length; i++) {
      long place = dots.first() + i;
      double expected = place == 1 ? truth : place == -1 ? 0.75 - truth : 0;
      assertThat(dots.masses()[i]).isCloseTo(expected, within(1e-13));
    }
    assertThat(dots.infinite()).isBetween(0.25, 0.25 + 1e-13);
    // Losses are raised by next to nothing for the rounding of places.
    assertThat(dots.shift()).isBetween(0.0, 1e-14);
  }

  record Setting(PrivacyLoss loss, double spacing, Range range) {}

  /** Coarse and fine, with narrow cores, and cut off at either end. */
  static Stream<Setting> settings() {
    Random random = new Random(11);
    List<PrivacyLoss> losses =
        List.of(
            new GaussianLoss(0.9),
            new GaussianLoss(6),
            new GaussianLoss(25),
            new LaplaceLoss(1.7),
            new RandomisedResponseLoss(0.8, 1e-2),
            new RandomisedResponseLoss(30, 0),
            new PoissonSubsampledLoss(new GaussianLoss(0.9), 0.1),
            new PoissonSubsampledLoss(new GaussianLoss(4), 1e-3).reversed(),
            new PoissonSubsampledLoss(new LaplaceLoss(3), 0.4).reversed(),
            new ReplaceOneLoss(0.7, 0.05),
            new ReplaceOneLoss(0.05, 0.5));
    return losses.stream()
        .flatMap(
            loss ->
                IntStream.range(0, 4)
                    .mapToObj(
                        i -> {
                          double[] marks = loss.landmarks();
                          double low = marks[0];
                          double high = marks[marks.length - 1];
                          double width = high - low;
                          double cut = i >= 2 ? 0.3 * random.nextDouble() * width : 0;
                          double spacing = width / (i % 2 == 0 ? 7.3 : 400);
                          Core core = new Core(low + 0.45 * width, low + 0.6 * width);
                          return new Setting(
                              loss, spacing, new Range(low + cut, high - cut, List.of(core, core)));
                        }));
  }

  /** By sums in 60 digits, at every sort of ε: strictly, with nothing but the truth's own error. */
  @ParameterizedTest
  @MethodSource("settings")
  void deltaOfTheDots_isNeverBelowTheLosses(Setting setting) {
    LossMeasure dots = ConnectTheDots.of(setting.loss, setting.spacing, setting.range);
    ExactLosses exact = ExactLosses.of(dots);
    double[] marks = setting.loss.landmarks();
    double low = marks[0];
    double width = marks[marks.length - 1] - low;
    for (int i = 0; i < 14; i++) {
      double epsilon = low + width * (1.2 * i / 13 - 0.1);
      Split s = setting.loss.at(epsilon);
      // The event of losses above ε: no more than δ, but for the rounding of its two masses.
      BigDecimal event =
          new BigDecimal(s.pAbove())
              .add(new BigDecimal(setting.loss.infinite()))
              .subtract(Digits.exp(epsilon).multiply(new BigDecimal(s.qAbove())));
      double odds = Math.exp(Math.min(700, epsilon + s.shift()));
      double room =
          (s.relative() + 0x1p-52) * (s.pAbove() + Math.min(s.pAbove(), odds * s.qAbove()));
      assertThat(exact.delta(epsilon)).isGreaterThanOrEqualTo(event.subtract(new BigDecimal(room)));
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void noMassIsNegativeAndNoneOfPIsLost(Setting setting) {
    LossMeasure dots = ConnectTheDots.of(setting.loss, setting.spacing, setting.range);
    for (double mass : dots.masses()) {
      assertThat(mass).isNotNegative();
    }
    assertThat(ExactLosses.of(dots).total()).isGreaterThanOrEqualTo(BigDecimal.ONE);
    assertThat(dots.total()).isLessThan(1 + 1e-9);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void massesOfQ_areNoMoreThanQs(Setting setting) {
    LossMeasure dots = ConnectTheDots.of(setting.loss, setting.spacing, setting.range);
    BigDecimal sum = BigDecimal.ZERO;
    // From above: Q's masses m·e^(−ℓ) at the points from any one up are no more than Q's above the
    // point below it.
    ExactLosses exact = ExactLosses.of(dots);
    // The lowest has what was below it, of which Q may have more.
    for (int i = dots.masses().length - 1; i > 0; i--) {
      BigDecimal mass = exact.atoms().get(i).mass();
      if (mass.signum() > 0) {
        BigDecimal loss = exact.atoms().get(i).loss();
        sum = sum.add(mass.multiply(Digits.exp(loss.negate()), Digits.FIFTY));
      }
      double place = (dots.first() + i - 65) * dots.spacing();
      Split s = setting.loss.at(place);
      double most = (s.qAbove() + 1e-307) * (1 + s.relative());
      assertThat(sum).isLessThanOrEqualTo(new BigDecimal(most).add(new BigDecimal("4e-16")));
    }
  }

  /** What is above the top is told whole; what is below the bottom is raised to it. */
  @Test
  void whatIsOutOfRange_isInfiniteAboveAndRaisedBelow() {
    PrivacyLoss loss = new GaussianLoss(1);
    LossMeasure dots = ConnectTheDots.of(loss, 0.25, all(-1, 2));
    Split top = loss.at(2.25);
    assertThat(dots.infinite()).isBetween(top.pAbove(), loss.at(1.99).pAbove());
    assertThat(dots.first()).isEqualTo(-4);
    Split bottom = loss.at(-1);
    assertThat(dots.masses()[0]).isGreaterThanOrEqualTo(bottom.pBelow());
    assertThat(dots.masses()[0]).isLessThan(loss.at(-0.75).pBelow());
  }

  /** Beyond a core, masses are on every eighth point, then on every 64th. */
  @Test
  void outsideItsCores_cellsAreEightTimesAsWide() {
    Range range = new Range(-40, 40, List.of(new Core(-1, 1), new Core(-5, 5)));
    LossMeasure dots = ConnectTheDots.of(new GaussianLoss(3), 0.01, range);
    int inner = count(dots, -0.9, 0.9);
    int middle = count(dots, 1.2, 4.8);
    int outer = count(dots, 6, 30);
    assertThat(inner).isBetween(178, 182);
    assertThat(middle).isBetween(44, 46);
    assertThat(outer).isBetween(36, 39);
  }

  private static int count(LossMeasure dots, double from, double to) {
    int count = 0;
    for (int i = 0; i < dots.masses().length; i++) {
      double place = (dots.first() + i) * dots.spacing();
      count += place >= from && place <= to && dots.masses()[i] > 0 ? 1 : 0;
    }
    return count;
  }

  /** A split that says it is off by s has its losses raised by s at least. */
  @Test
  void anInexactPlace_raisesAllLosses() {
    double off = 1e-5;
    PrivacyLoss exact = new LaplaceLoss(1);
    PrivacyLoss loss =
        new PrivacyLoss() {
          @Override
          public Split at(double place) {
            Split s = exact.at(place + off * Math.sin(1e6 * place));
            return new Split(s.pBelow(), s.pAbove(), s.qBelow(), s.qAbove(), s.relative(), off);
          }

          @Override
          public double[] landmarks() {
            return exact.landmarks();
          }

          @Override
          public PrivacyLoss reversed() {
            return this;
          }
        };
    LossMeasure dots = ConnectTheDots.of(loss, 1e-2, all(-1.01, 1.02));
    assertThat(dots.shift()).isBetween(2 * off, 2 * off + 1e-12);
    ExactLosses raised = ExactLosses.of(dots);
    for (double epsilon = -0.9; epsilon < 1; epsilon += 0.037) {
      double delta = 1 - Math.exp((epsilon - 1) / 2);
      if (epsilon < 0) {
        delta = Math.max(delta, -Math.expm1(epsilon));
      }
      assertThat(raised.delta(epsilon).doubleValue())
          .isBetween(SingleLoss.bound(exact, epsilon, -1), delta + 4e-2);
    }
  }

  /**
   * In a cell of width 60 all but e^−60 of what is lower than its end is rounding. Then all of it
   * is at the end, where it once was at the mean of what is spread over the cell.
   */
  @Test
  void inAVeryWideCell_allIsAtItsUpperEnd() {
    PrivacyLoss loss = new GaussianLoss(4);
    double width = 60;
    LossMeasure dots = ConnectTheDots.of(loss, width, all(-width, width));
    ExactLosses raised = ExactLosses.of(dots);
    for (int i = 0; i < dots.masses().length; i++) {
      if (dots.first() + i == 0) {
        // P(−60 < L ≤ 0), and of (0, 60] what Q's mass says.
        double most = loss.at(0).pBelow() + loss.at(0).qAbove();
        assertThat(dots.masses()[i]).isCloseTo(most, within(1e-11));
      }
    }
    for (double epsilon : new double[] {-40, -20, -3, -2, -1, 0, 3, 30}) {
      assertThat(raised.delta(epsilon).doubleValue())
          .isGreaterThanOrEqualTo(SingleLoss.bound(loss, epsilon, -1));
    }
  }

  /** The same pair on half the spacing costs no more: every chord is below the coarser one. */
  @Test
  void aFinerGrid_hasNoLargerDelta() {
    PrivacyLoss loss = new PoissonSubsampledLoss(new GaussianLoss(1.1), 0.2);
    Range range = all(-0.22, 6);
    ExactLosses coarse = ExactLosses.of(ConnectTheDots.of(loss, 0.125, range));
    ExactLosses fine = ExactLosses.of(ConnectTheDots.of(loss, 0.0625, range));
    for (double epsilon = -0.2; epsilon < 4; epsilon += 0.0831) {
      BigDecimal room = new BigDecimal("1e-12");
      assertThat(fine.delta(epsilon)).isLessThanOrEqualTo(coarse.delta(epsilon).add(room));
    }
  }
}
