package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.pld.Cumulants.At;
import io.mutune.accountant.pld.Cumulants.Term;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K, K′ and K″ and where they have what values, against closed forms. */
class CumulantsTest {
  private static Cumulants of(PrivacyLoss loss, long count) {
    return new Cumulants(List.of(Term.of(loss, count)), Cumulants.LARGEST_TILT);
  }

  /** A normal loss of mean μ²/2 and variance μ²: K = λ(λ + 1)μ²/2. */
  @ParameterizedTest
  @CsvSource({"0.5, 1, 0", "0.5, 1, 3", "0.01, 10000, 2", "4, 1, 1.5", "0.2, 100, -0.5"})
  void gaussians_haveTheirQuadraticCumulant(double mu, long count, double lambda) {
    At at = of(new GaussianLoss(mu), count).at(lambda);
    double square = mu * mu * count;
    // Landmarks are an eighth of a deviation apart: variances are off by its square over 6.
    double step = mu * mu * count / 64;
    assertThat(at.mean()).isCloseTo(square * (0.5 + lambda), within(0.4 * step * (1 + lambda)));
    assertThat(at.variance()).isCloseTo(square, within(0.4 * step));
    assertThat(at.value())
        .isCloseTo(lambda * (lambda + 1) * square / 2, within(step * (1 + lambda * lambda)));
    assertThat(at.lambda()).isEqualTo(lambda);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0.3", "1, 50, 2", "30, 3, 5", "0.001, 10, 100"})
  void responses_haveTheirCumulantExactly(double epsilon, long count, double lambda) {
    At at = of(new RandomisedResponseLoss(epsilon, 0), count).at(lambda);
    double truth = 1 / (1 + Math.exp(-epsilon));
    double up = truth * Math.exp(lambda * epsilon);
    double down = (1 - truth) * Math.exp(-lambda * epsilon);
    double mean = epsilon * (up - down) / (up + down);
    assertThat(at.value())
        .isCloseTo(count * Math.log(up + down), within(1e-12 * count * (1 + lambda * epsilon)));
    assertThat(at.mean()).isCloseTo(count * mean, within(1e-12 * count * (1 + epsilon)));
    double variance = epsilon * epsilon - mean * mean;
    assertThat(at.variance())
        .isCloseTo(count * variance, within(1e-11 * count * epsilon * epsilon));
    assertThat(at.rate()).isCloseTo(lambda * at.mean() - at.value(), within(1e-12));
  }

  @Test
  void terms_addUp() {
    Term one = Term.of(new GaussianLoss(0.4), 3);
    Term two = Term.of(new LaplaceLoss(1.2), 5);
    At both = new Cumulants(List.of(one, two), 1e6).at(1.3);
    At first = new Cumulants(List.of(one), 1e6).at(1.3);
    At second = new Cumulants(List.of(two), 1e6).at(1.3);
    assertThat(both.value()).isCloseTo(first.value() + second.value(), within(1e-13));
    assertThat(both.mean()).isCloseTo(first.mean() + second.mean(), within(1e-13));
    assertThat(both.variance()).isCloseTo(first.variance() + second.variance(), within(1e-13));
  }

  /** The saddle point's own guess of δ is near the truth, which is all that a plan needs. */
  @ParameterizedTest
  @CsvSource({"1, 1e-5", "0.1, 1e-12", "5, 1e-3", "1, 1e-200"})
  void theSaddlePointOfADelta_isNearItsEpsilon(double mu, double delta) {
    At saddle = of(new GaussianLoss(mu / 10), 100).withLogDelta(Math.log(delta));
    double epsilon = GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(delta)).value();
    assertThat(saddle.mean()).isCloseTo(epsilon, within(0.02 * epsilon));
    assertThat(saddle.logDelta()).isCloseTo(Math.log(delta), within(0.02));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 1, 4.5})
  void roots_haveTheValuesAskedFor(double mean) {
    Cumulants cumulants = of(new LaplaceLoss(0.5), 10);
    assertThat(cumulants.withMean(mean).mean())
        .isCloseTo(Math.max(mean, cumulants.at(0).mean()), within(1e-2));
    // Above 10·ln 2 and a little, no mean pays more: the atoms have half of the mass.
    double rate = Math.min(3 * mean, 6);
    At at = cumulants.withRate(rate);
    assertThat(at.rate()).isCloseTo(rate, within(1e-2 * rate));
    At tilt = cumulants.at(2);
    At left = cumulants.leftOf(tilt, rate);
    At right = cumulants.rightOf(tilt, rate);
    assertThat(left.lambda()).isLessThan(2);
    assertThat(right.lambda()).isGreaterThan(2);
    // Chernoff's exponents of the tilted tails at those means.
    double below = tilt.value() - left.value() - (2 - left.lambda()) * left.mean();
    double above = tilt.value() - right.value() + (right.lambda() - 2) * right.mean();
    assertThat(below).isCloseTo(rate, within(1e-2 * rate));
    assertThat(above).isCloseTo(rate, within(1e-2 * rate));
  }

  @Test
  void beyondAllMeans_theLargestTiltIsTheAnswer() {
    Cumulants cumulants = new Cumulants(List.of(Term.of(new RandomisedResponseLoss(1, 0), 2)), 300);
    assertThat(cumulants.withMean(5).lambda()).isEqualTo(300);
    assertThat(cumulants.withMean(-5).lambda()).isZero();
  }

  @Test
  void tops_haveAtMostTheMassAboveThem() {
    PrivacyLoss loss = new GaussianLoss(1);
    Term term = Term.of(loss, 1);
    for (double mass : new double[] {1e-3, 1e-10, 1e-100}) {
      double top = term.top(mass);
      assertThat(loss.at(top).pAbove()).isLessThanOrEqualTo(mass);
      // Landmarks are an eighth apart.
      assertThat(loss.at(top - 0.26).pAbove()).isGreaterThan(mass);
      Term cut = term.upTo(mass);
      assertThat(cut.top(0)).isEqualTo(top);
      assertThat(cut.count()).isEqualTo(1);
    }
  }

  @Test
  void bottoms_haveNextToNothingBelowThem() {
    PrivacyLoss loss = new GaussianLoss(1);
    Term term = Term.of(loss, 100);
    double bottom = term.bottom(0, 1e-10);
    assertThat(100 * loss.at(bottom).pBelow()).isLessThanOrEqualTo(1e-10);
    assertThat(100 * loss.at(bottom + 0.51).pBelow()).isGreaterThan(1e-10);
    // A tilt sees less of what is below 0.
    assertThat(term.bottom(5, 1e-10)).isGreaterThan(bottom);
  }

  @Test
  void bulks_haveAllButAShareOfTheTiltedMass() {
    Term term = Term.of(new GaussianLoss(1), 1);
    double[] bulk = term.bulk(3, 1e-6);
    // Tilted by 3 its mean is 3.5: 4.75 deviations on either side.
    assertThat(bulk[0]).isBetween(3.5 - 4.75 - 0.4, 3.5 - 4.75 + 0.1);
    assertThat(bulk[1]).isBetween(3.5 + 4.75 - 0.1, 3.5 + 4.75 + 0.4);
  }

  @Test
  void fewerValues_haveTheSameMassAndMean() {
    Term all = Term.of(new PoissonSubsampledLoss(new GaussianLoss(1), 0.1), 7);
    Term few = all.thinned();
    At before = new Cumulants(List.of(all), 1e6).at(0);
    At after = new Cumulants(List.of(few), 1e6).at(0);
    assertThat(after.value()).isCloseTo(before.value(), within(1e-12));
    assertThat(after.mean()).isCloseTo(before.mean(), within(1e-12));
    assertThat(after.variance()).isLessThanOrEqualTo(before.variance() * (1 + 1e-12));
    assertThat(after.variance()).isGreaterThan(0.9 * before.variance());
    Term two = Term.of(new RandomisedResponseLoss(1, 0), 7);
    assertThat(two.thinned()).isSameAs(two);
  }
}
