package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileHullTest {
  private static ProfileHull hull(ApproximateGaussianDp truth, Delta delta0) {
    // Where nothing but δ₀ is left.
    double beyond = truth.epsilon(delta0).value();
    double[] places = ProfileHull.places(beyond);
    double[] deltas = Arrays.stream(places).map(e -> truth.delta(Epsilon.of(e)).value()).toArray();
    return ProfileHull.of(places, deltas, delta0);
  }

  @ParameterizedTest
  @CsvSource({
    "0.01, 1e-6",
    "0.1, 1e-6",
    "0.5, 1e-6",
    "1, 1e-6",
    "4, 1e-6",
    "12, 1e-6",
    "1, 1e-3",
    "1, 1e-12",
    "0.3, 1e-9"
  })
  void aGaussiansOwnProfile_givesItsMu_roundedUpByLessThanAThousandth(double mu, double delta0) {
    GaussianDp gaussian = GaussianDp.of(Mu.of(mu));
    ProfileHull hull = hull(ApproximateGaussianDp.of(gaussian), Delta.of(delta0));
    ApproximateGaussianDp least = hull.least().orElseThrow();
    // δ₀ makes room for a μ that is smaller by about δ₀'s share of δ(0), 0.4μ.
    assertThat(least.mu().value()).isBetween(mu * (1 - 4 * delta0 / mu), mu * 1.001);
    assertThat(least.delta0().value()).isEqualTo(delta0);
  }

  @Test
  void whatFailsWithAKnownProbability_hasItsMuBesideThatDelta0() {
    ApproximateGaussianDp truth = new ApproximateGaussianDp(Mu.of(0.7), Delta.of(1e-6));
    // Just above: at δ₀ itself no ε is enough.
    Delta delta0 = Delta.of(1.001e-6);
    double mu = hull(truth, delta0).least().orElseThrow().mu().value();
    assertThat(mu).isBetween(0.7 * (1 - 1e-6), 0.7 * 1.001);
  }

  @Test
  void aSmallerMu_isNotShown() {
    ProfileHull hull = hull(ApproximateGaussianDp.of(GaussianDp.of(Mu.of(0.5))), Delta.of(1e-6));
    assertThat(hull.isBelow(0.5006)).isTrue();
    assertThat(hull.isBelow(0.4999)).isFalse();
    assertThat(hull.isBelow(0.1)).isFalse();
    assertThat(hull.isBelow(0)).isFalse();
  }

  @Test
  void onePointAlone_isCoveredAsAPureMechanismIs() {
    // (ε, δ₀)-DP and nothing else is known: the worst is randomised response but for δ₀.
    double epsilon = 1;
    double[] places = ProfileHull.places(epsilon);
    double[] deltas = new double[places.length];
    Arrays.fill(deltas, 1);
    double mu = ProfileHull.of(places, deltas, Delta.of(1e-6)).least().orElseThrow().mu().value();
    double pure = GaussianDp.ofPure(Epsilon.of(epsilon)).mu().value();
    assertThat(mu).isBetween(pure, pure * (1 + 2e-8));
  }

  @Test
  void aProfileThatIsNeverAboveDelta0_needsNoMu() {
    double[] places = ProfileHull.places(0);
    ProfileHull hull = ProfileHull.of(places, new double[places.length], Delta.of(1e-6));
    assertThat(hull.least().orElseThrow().mu().value()).isZero();
  }

  @Test
  void whatProtectsNothing_hasNoMu() {
    double[] places = ProfileHull.places(ProfileHull.LARGEST);
    double[] deltas = new double[places.length];
    Arrays.fill(deltas, 1);
    assertThat(ProfileHull.of(places, deltas, Delta.of(1e-6)).least()).isEmpty();
  }

  @Test
  void betweenTwoPoints_theChordIsHeldAgainstTheCurve_andNotItsEndsAlone() {
    // Both ends are on the curve of μ = 1, and the chord between them is above it.
    GaussianDp one = GaussianDp.of(Mu.of(1));
    double[] places = {0, 2, 6};
    double[] deltas = Arrays.stream(places).map(e -> one.delta(Epsilon.of(e)).value()).toArray();
    ProfileHull hull = ProfileHull.of(places, deltas, Delta.of(1.1 * deltas[2]));
    assertThat(hull.isBelow(1)).isFalse();
    double mu = hull.least().orElseThrow().mu().value();
    assertThat(mu).isGreaterThan(1.01);
    // At the chord's middle the least μ is no less than the chord says.
    double t = (1 + Math.exp(2)) / 2;
    double chord = (deltas[0] + deltas[1]) / 2;
    Delta there =
        new ApproximateGaussianDp(Mu.of(mu), Delta.of(1.1 * deltas[2]))
            .delta(Epsilon.of(Math.log(t)));
    assertThat(there.value()).isGreaterThanOrEqualTo(chord * (1 - 1e-12));
  }
}
