package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pair of distributions owes to those who build grids from it, family by family. */
class PrivacyLossTest {
  private static final double ULP = 0x1p-52;

  static Stream<PrivacyLoss> all() {
    PrivacyLoss gaussian = new GaussianLoss(1.3);
    return Stream.of(
            gaussian,
            new GaussianLoss(1e-6),
            new GaussianLoss(60),
            new LaplaceLoss(0.7),
            new LaplaceLoss(1e-9),
            new LaplaceLoss(40),
            new RandomisedResponseLoss(2, 0),
            new RandomisedResponseLoss(1e-4, 1e-3),
            new PoissonSubsampledLoss(gaussian, 0.3),
            new PoissonSubsampledLoss(gaussian, 1e-6),
            new PoissonSubsampledLoss(gaussian, 1 - 1e-9),
            new PoissonSubsampledLoss(new LaplaceLoss(2), 0.05),
            new PoissonSubsampledLoss(new GaussianLoss(12), 1e-3),
            new ReplaceOneLoss(1.5, 0.2),
            new ReplaceOneLoss(0.3, 1e-4),
            new ReplaceOneLoss(30, 0.9))
        .flatMap(loss -> Stream.of(loss, loss.reversed()).distinct());
  }

  /** Places at and between the landmarks, and beyond them. */
  private static double[] places(PrivacyLoss loss) {
    double[] marks = loss.landmarks();
    double low = marks[0];
    double high = marks[marks.length - 1];
    double[] places = new double[401];
    for (int i = 0; i < places.length; i++) {
      places[i] = low + (high - low) * (1.02 * i / (places.length - 1) - 0.01);
    }
    return places;
  }

  @ParameterizedTest
  @MethodSource("all")
  void bothSidesOfASplit_addUpToTheFiniteMass(PrivacyLoss loss) {
    double finite = 1 - loss.infinite();
    for (double place : places(loss)) {
      Split s = loss.at(place);
      // The larger of two masses is good to a few units in the last place.
      double small = Math.min(s.pBelow(), s.pAbove()) + Math.min(s.qBelow(), s.qAbove());
      double tolerance = s.relative() * small + 8 * ULP;
      assertThat(s.pBelow() + s.pAbove()).isCloseTo(finite, within(tolerance));
      assertThat(s.qBelow() + s.qAbove()).isCloseTo(finite, within(tolerance));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void masses_riseBelowAndFallAboveAsThePlaceRises(PrivacyLoss loss) {
    Split last = loss.at(Double.NEGATIVE_INFINITY < places(loss)[0] ? places(loss)[0] : 0);
    for (double place : places(loss)) {
      Split s = loss.at(place);
      double room = 1 + 2 * (s.relative() + last.relative());
      assertThat(last.pBelow()).isLessThanOrEqualTo(s.pBelow() * room);
      assertThat(last.qBelow()).isLessThanOrEqualTo(s.qBelow() * room);
      assertThat(s.pAbove()).isLessThanOrEqualTo(last.pAbove() * room);
      assertThat(s.qAbove()).isLessThanOrEqualTo(last.qAbove() * room);
      last = s;
    }
  }

  /** What a loss is: in (a, b], Q's mass times e^a is at most P's, and times e^b at least. */
  @ParameterizedTest
  @MethodSource("all")
  void betweenTwoPlaces_theMassesRatioIsBetweenTheirExponentials(PrivacyLoss loss) {
    double[] places = places(loss);
    for (int i = 1; i < places.length; i++) {
      double a = places[i - 1];
      double b = places[i];
      Split low = loss.at(a);
      Split high = loss.at(b);
      boolean isUpper = low.pAbove() + low.qAbove() < high.pBelow() + high.qBelow();
      double p = isUpper ? low.pAbove() - high.pAbove() : high.pBelow() - low.pBelow();
      double q = isUpper ? low.qAbove() - high.qAbove() : high.qBelow() - low.qBelow();
      double sizeP = isUpper ? low.pAbove() : high.pBelow();
      double sizeQ = isUpper ? low.qAbove() : high.qBelow();
      double relative = low.relative() + high.relative() + 4 * ULP;
      double shift = low.shift() + high.shift() + ULP * (Math.abs(a) + Math.abs(b));
      double roomP = 2 * relative * sizeP + 1e-307;
      double roomQ = 2 * relative * sizeQ + 1e-307;
      assertThat(Math.exp(a - shift) * (q - roomQ)).isLessThanOrEqualTo(p + roomP);
      assertThat(p - roomP).isLessThanOrEqualTo(Math.exp(b + shift) * (q + roomQ));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void theReversedPair_hasTheOtherMassesAtTheOppositeLossAndIsReversedBack(PrivacyLoss loss) {
    PrivacyLoss reversed = loss.reversed();
    assertThat(reversed.reversed()).isEqualTo(loss);
    for (double place : places(loss)) {
      // Off the atoms, to which one side of a split belongs.
      double here = place * (1 + 1e-9) + 1e-15 * loss.landmarks()[loss.landmarks().length - 1];
      Split s = loss.at(here);
      Split back = reversed.at(-here);
      double room = 4 * (s.relative() + ULP) + 1e-12;
      assertThat(back.pAbove()).isCloseTo(s.qBelow(), within(room * s.qBelow() + 1e-300));
      assertThat(back.qAbove()).isCloseTo(s.pBelow(), within(room * s.pBelow() + 1e-300));
      assertThat(back.pBelow()).isCloseTo(s.qAbove(), within(room * s.qAbove() + 1e-300));
      assertThat(back.qBelow()).isCloseTo(s.pAbove(), within(room * s.pAbove() + 1e-300));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void landmarks_riseAndHaveNextToNothingOutside(PrivacyLoss loss) {
    double[] marks = loss.landmarks();
    for (int i = 1; i < marks.length; i++) {
      assertThat(marks[i]).isGreaterThanOrEqualTo(marks[i - 1]);
    }
    double width = marks[marks.length - 1] - marks[0];
    assertThat(loss.at(marks[0] - 1e-9 * width).pBelow()).isLessThan(1e-300);
    assertThat(loss.at(marks[marks.length - 1] + 1e-9 * width).pAbove()).isLessThan(1e-300);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aboveTheLargestLoss_nothingIs(PrivacyLoss loss) {
    double largest = loss.largest();
    double[] marks = loss.landmarks();
    if (Double.isFinite(largest)) {
      assertThat(loss.at(largest).pAbove()).isZero();
    }
    if (isReached(loss)) {
      // That of a sample has a few roundings.
      boolean isSample = loss instanceof PoissonSubsampledLoss || loss instanceof Reversed;
      double below = isSample ? largest * (1 - 1e-14) : Math.nextDown(largest);
      assertThat(loss.at(below).pAbove()).isPositive();
    } else {
      assertThat(loss.at(marks[marks.length / 2]).pAbove() + loss.at(marks[1]).pAbove())
          .isPositive();
    }
  }

  /** With one row more, losses of a sample of Gaussian noise only come near to −ln(1 − q). */
  private static boolean isReached(PrivacyLoss loss) {
    return Double.isFinite(loss.largest())
        && !(loss.reversed() instanceof PoissonSubsampledLoss sampled
            && Double.isInfinite(sampled.base().smallest()));
  }

  @Test
  void onlyResponses_haveALattice() {
    for (PrivacyLoss loss : all().toList()) {
      double lattice = loss.lattice();
      if (loss instanceof RandomisedResponseLoss response) {
        assertThat(lattice).isEqualTo(response.epsilon());
        assertThat(loss.at(lattice).pAbove()).isZero();
        assertThat(loss.at(Math.nextDown(-lattice)).pBelow()).isZero();
      } else {
        assertThat(lattice).isZero();
      }
    }
    PrivacyLoss response = new RandomisedResponseLoss(1, 0.25);
    assertThat(new Reversed(response).lattice()).isEqualTo(1);
    assertThat(new Reversed(response).infinite()).isEqualTo(0.25);
  }

  /** The loss of a Laplace release at an output x is |x − 1| against |x|, in scales. */
  @ParameterizedTest
  @CsvSource({"0.3", "2", "25"})
  void laplaceTails_areTheDensitysIntegrals(double epsilon) {
    LaplaceLoss loss = new LaplaceLoss(epsilon);
    for (double part : new double[] {-0.99, -0.5, 0, 0.25, 0.999}) {
      double l = part * epsilon;
      // Under P, centred at 0, |x − ε|−|x| ≤ ℓ is x ≥ (ε − ℓ)/2, of mass e^(−x)/2.
      BigDecimal half = new BigDecimal(epsilon).subtract(new BigDecimal(l));
      BigDecimal below =
          Digits.exp(half.divide(BigDecimal.valueOf(-2))).divide(BigDecimal.valueOf(2));
      Split s = loss.at(l);
      assertThat(s.pBelow())
          .isCloseTo(below.doubleValue(), within(s.relative() * below.doubleValue()));
      BigDecimal sum = new BigDecimal(epsilon).add(new BigDecimal(l));
      BigDecimal above =
          Digits.exp(sum.divide(BigDecimal.valueOf(-2))).divide(BigDecimal.valueOf(2));
      assertThat(s.qAbove())
          .isCloseTo(above.doubleValue(), within(s.relative() * above.doubleValue()));
    }
    // The atoms: half of the mass is where the loss is largest.
    assertThat(loss.at(Math.nextDown(epsilon)).pAbove())
        .isCloseTo(0.5, within(1e-12 * epsilon + 1e-15));
    assertThat(loss.at(-epsilon).qBelow()).isCloseTo(0.5, within(1e-15));
  }

  /** Removing a row from a sample: ln(1 − q + q·e^ℓ), by 60 digits. */
  @ParameterizedTest
  @CsvSource({
    "0.3, 0.5, 0.8",
    "0.001, 1e-4, 0.8",
    "0.001, 5, 0.8",
    "1e-9, 1e-8, 0.5",
    "0.999999, -3, 2",
    "0.25, -0.28, 2",
    "1e-12, -9e-13, 1"
  })
  void aSampledLoss_isWhereItsBaseIs(double q, double loss, double mu) {
    PoissonSubsampledLoss sampled = new PoissonSubsampledLoss(new GaussianLoss(mu), q);
    // 1 + (e^ℓ − 1)/q
    BigDecimal lifted =
        Digits.exp(loss)
            .subtract(BigDecimal.ONE)
            .divide(new BigDecimal(q), Digits.FIFTY)
            .add(BigDecimal.ONE);
    BigDecimal inner = Digits.log(lifted);
    BigDecimal z = inner.divide(new BigDecimal(mu), Digits.FIFTY);
    BigDecimal half = new BigDecimal(mu).divide(BigDecimal.valueOf(2));
    BigDecimal same = Digits.tailAbove(z.add(half));
    BigDecimal moved = Digits.tailAbove(z.subtract(half));
    Split s = sampled.at(loss);
    assertThat(s.shift())
        .isLessThan(40 * ULP * (Math.abs(loss) + -Math.expm1(-Math.abs(loss)) + q));
    // What a shift of the loss moves is small at these places.
    double room = s.relative() + 1e-9;
    assertThat(s.qAbove()).isCloseTo(same.doubleValue(), within(room * same.doubleValue()));
    double p = moved.doubleValue() * q + (1 - q) * same.doubleValue();
    assertThat(s.pAbove()).isCloseTo(p, within(room * p));
  }

  @ParameterizedTest
  @CsvSource({"0.3, 1", "1e-3, 2", "0.999, 0.1"})
  void aSample_hasNoLossBelowThatOfNoRowsAtAll(double q, double mu) {
    PoissonSubsampledLoss sampled = new PoissonSubsampledLoss(new GaussianLoss(mu), q);
    double least = Math.log1p(-q);
    Split s = sampled.at(least * (1 + 1e-12));
    assertThat(s.pBelow()).isZero();
    assertThat(s.qBelow()).isZero();
    assertThat(s.pAbove()).isEqualTo(1);
    assertThat(sampled.reversed().at(-least * (1 + 1e-12)).pAbove()).isZero();
    assertThat(sampled.reversed().at(-least * (1 - 1e-3)).qAbove()).isNotNegative();
  }

  /** The loss at x is odd; its place is checked by the densities themselves, in 60 digits. */
  @ParameterizedTest
  @CsvSource({
    "1.5, 0.2, 0.4",
    "0.5, 0.01, 3",
    "0.1, 0.5, 20",
    "0.04, 0.5, 150",
    "0.03, 0.9, 900",
    "30, 0.9, 0.01",
    "2, 1e-6, 1e-5",
    "0.05, 1e-4, 2",
    "0.036, 0.5, 420"
  })
  void aReplacedRowsLoss_isTheDensitiesRatioAtItsPlace(double sigma, double q, double loss) {
    BigDecimal low = BigDecimal.ZERO;
    BigDecimal high = BigDecimal.valueOf(4 + 2 * sigma * sigma * loss + 60 * sigma * sigma);
    for (int i = 0; i < 120; i++) {
      BigDecimal middle = low.add(high).divide(BigDecimal.valueOf(2), Digits.FIFTY);
      if (lossAt(sigma, q, middle).compareTo(new BigDecimal(loss)) > 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    BigDecimal s = new BigDecimal(sigma);
    BigDecimal same = Digits.tailAbove(low.divide(s, Digits.FIFTY));
    BigDecimal one = Digits.tailAbove(low.subtract(BigDecimal.ONE).divide(s, Digits.FIFTY));
    double p = same.doubleValue() * (1 - q) + one.doubleValue() * q;
    Split split = new ReplaceOneLoss(sigma, q).at(loss);
    // A shift of the loss by rounding moves the place by less than 10⁻¹¹ of a standard deviation.
    assertThat(split.pAbove()).isCloseTo(p, within((split.relative() + 1e-9) * p + 1e-300));
    assertThat(split.shift()).isLessThan(1e-9 * loss + 1e-13);
  }

  /** ln of (1 − q)·N(0) + q·N(1) over (1 − q)·N(0) + q·N(−1), of variance σ². */
  private static BigDecimal lossAt(double sigma, double q, BigDecimal x) {
    BigDecimal precision = BigDecimal.ONE.divide(new BigDecimal(sigma).pow(2), Digits.FIFTY);
    BigDecimal half = precision.divide(BigDecimal.valueOf(-2), Digits.FIFTY);
    BigDecimal rest = BigDecimal.ONE.subtract(new BigDecimal(q));
    BigDecimal turn = x.multiply(precision);
    BigDecimal up = rest.add(Digits.exp(half.add(turn)).multiply(new BigDecimal(q)));
    BigDecimal down = rest.add(Digits.exp(half.subtract(turn)).multiply(new BigDecimal(q)));
    return Digits.log(up.divide(down, Digits.FIFTY));
  }

  /** v² overflows where arsinh(v) is 355: tails beyond once were those of infinity. */
  @Test
  void aReplacedRowsTails_goOnWhereSquaresOverflow() {
    ReplaceOneLoss loss = new ReplaceOneLoss(0.04, 0.5);
    double last = 1;
    for (double place = 1; place < 1200; place += 7) {
      Split s = loss.at(place);
      assertThat(s.shift()).isFinite();
      assertThat(s.pAbove()).isLessThanOrEqualTo(last);
      last = s.pAbove();
    }
    // Half of the samples have the row, and their losses are about 2/(2σ²) = 312 and ln 2 less.
    assertThat(loss.at(200).pAbove()).isCloseTo(0.5, within(1e-5));
    assertThat(loss.at(320).pAbove()).isBetween(0.1, 0.5);
  }

  @Test
  void equalPairs_areEqualSoThatTheyAreCounted() {
    assertThat(new PoissonSubsampledLoss(new GaussianLoss(1), 0.1).reversed())
        .isEqualTo(new PoissonSubsampledLoss(new GaussianLoss(1), 0.1).reversed())
        .isNotEqualTo(new PoissonSubsampledLoss(new GaussianLoss(1), 0.1));
    assertThat(new LaplaceLoss(1)).isNotEqualTo(new RandomisedResponseLoss(1, 0));
    assertThat(new RandomisedResponseLoss(1, 0)).isNotEqualTo(new RandomisedResponseLoss(1, 1e-9));
  }

  @Test
  void landmarksOfTwoFarNormals_haveNoneBetweenThem() {
    double[] marks = new GaussianLoss(1000).landmarks();
    double[] gaps = new double[marks.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = marks[i + 1] - marks[i];
    }
    // Steps of an eighth of 1000, and one wide gap.
    assertThat(Arrays.stream(gaps).filter(gap -> gap > 130).count()).isEqualTo(1);
    assertThat(marks.length).isLessThan(2000);
  }
}
