package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The closed form that covers all, against what it covers in 60 digits. */
class GaussianCapTest {
  private static final double[] EPSILONS = {0, 0.1, 0.5, 1, 2.5, 6};

  private static void covers(GaussianCap cap, ExactLosses truth, double mu) {
    for (double epsilon : EPSILONS) {
      BigDecimal delta = mu > 0 ? truth.deltaBesides(mu, epsilon) : truth.delta(epsilon);
      assertThat(new BigDecimal(cap.delta(Epsilon.of(epsilon)))).isGreaterThanOrEqualTo(delta);
    }
    for (double delta : new double[] {0.2, 1e-3, 1e-6, 1e-12}) {
      double epsilon = cap.epsilon(delta);
      if (Double.isFinite(epsilon)) {
        BigDecimal reached = mu > 0 ? truth.deltaBesides(mu, epsilon) : truth.delta(epsilon);
        assertThat(reached).isLessThanOrEqualTo(new BigDecimal(delta));
      } else {
        // It says nothing only where failures alone are as likely as δ.
        assertThat(cap.infinite()).isGreaterThanOrEqualTo(delta * (1 - 1e-15));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0, 1",
    "0.1, 0, 40",
    "2, 0, 3",
    "0.3, 1e-7, 5",
    "0.3, 1e-3, 4",
    "1e-6, 1e-5, 7",
    "8, 0.01, 2"
  })
  void responses_costNoMoreThanTheirCover(double epsilon, double delta, int count) {
    Mechanism mechanism =
        delta > 0
            ? new ApproximateDp(Epsilon.of(epsilon), Delta.of(delta), count)
            : new PureDp(Epsilon.of(epsilon), count);
    covers(GaussianCap.of(List.of(mechanism)), ExactLosses.responses(epsilon, delta, count), 0);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.2, 0, 3", "1.5, 1, 0, 2", "0.25, 0.1, 1e-6, 6"})
  void responsesBesidesANoise_costNoMoreThanTheirCover(
      double mu, double epsilon, double delta, int count) {
    // Every 1/μ here is a double.
    Mechanism noise = new Gaussian(NoiseMultiplier.of(1), mu, 1);
    Mechanism responses =
        delta > 0
            ? new ApproximateDp(Epsilon.of(epsilon), Delta.of(delta), count)
            : new PureDp(Epsilon.of(epsilon), count);
    covers(
        GaussianCap.of(List.of(noise, responses)),
        ExactLosses.responses(epsilon, delta, count),
        mu);
  }

  /** δ of a sample is q·δ(ε′) at e^ε = 1 + q·(e^ε′ − 1), by tails of 50 digits. */
  @ParameterizedTest
  @CsvSource({"1, 0.5", "1, 0.01", "4, 0.9", "0.25, 1e-6"})
  void oneSample_costsNoMoreThanAllRows(double mu, double q) {
    Mechanism sampled = new SubsampledGaussian(NoiseMultiplier.of(1), q, mu, 1);
    GaussianCap cap = GaussianCap.of(List.of(sampled));
    assertThat(cap).isEqualTo(GaussianCap.of(List.of(new Gaussian(NoiseMultiplier.of(1), mu, 1))));
    for (double epsilon : EPSILONS) {
      double inner = Math.log1p(Math.expm1(epsilon) / q);
      BigDecimal whole = ExactLosses.NONE.deltaBesides(mu, inner);
      assertThat(new BigDecimal(cap.delta(Epsilon.of(epsilon))))
          .isGreaterThanOrEqualTo(whole.multiply(new BigDecimal(q)));
    }
  }

  /** Of Gaussian releases it is what they cost, and not only more. */
  @Test
  void gaussians_areCoveredExactly() {
    List<Mechanism> releases = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      releases.add(new Gaussian(NoiseMultiplier.of(4), 1, 1));
    }
    releases.add(new SubsampledGaussian(NoiseMultiplier.of(4), 1, 1, 7));
    GaussianCap cap = GaussianCap.of(releases);
    // √16/4
    assertThat(cap.gaussian().mu().value()).isBetween(1.0, 1 + 1e-14);
    assertThat(cap.infinite()).isZero();
    for (double epsilon : EPSILONS) {
      double delta = ExactLosses.NONE.deltaBesides(1, epsilon).doubleValue();
      assertThat(cap.delta(Epsilon.of(epsilon))).isBetween(delta, delta * (1 + 1e-11));
    }
  }

  @Test
  void failures_areAddedToDeltaOneByOne() {
    Mechanism leak = new ApproximateDp(Epsilon.of(0), Delta.of(1e-6), 5);
    GaussianCap alone = GaussianCap.of(List.of(leak, leak));
    assertThat(alone.infinite()).isBetween(1e-5, 1e-5 * (1 + 1e-14));
    assertThat(new BigDecimal(alone.delta(Epsilon.of(0))))
        .isGreaterThanOrEqualTo(ExactLosses.responses(0, 1e-6, 10).delta(0));
    assertThat(alone.epsilon(2e-5)).isZero();
    assertThat(alone.epsilon(0.9e-5)).isInfinite();
    assertThat(alone.epsilon(1e-5)).isInfinite();
    GaussianCap both =
        GaussianCap.of(List.of(leak, leak, new Gaussian(NoiseMultiplier.of(2), 1, 1)));
    double rest = ExactLosses.NONE.deltaBesides(0.5, 1).doubleValue();
    assertThat(both.delta(Epsilon.of(1))).isCloseTo(rest + 1e-5, within(1e-13));
    assertThat(GaussianCap.of(List.of(new ApproximateDp(Epsilon.of(1), Delta.of(0.9), 2))))
        .satisfies(cap -> assertThat(cap.delta(Epsilon.of(1))).isEqualTo(1));
  }

  @Test
  void whatNoMuCovers_isRefused() {
    assertThatThrownBy(() -> GaussianCap.of(List.of(new TruncatedConcentrated(0.1, 100, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no mu covers ");
    assertThat(GaussianCap.of(List.of()).epsilon(1e-9)).isZero();
    // A Laplace release is pure, and covered as the worst of its ε.
    assertThat(GaussianCap.of(List.of(new Laplace(2, 1, 3))))
        .isEqualTo(GaussianCap.of(List.of(new PureDp(Epsilon.of(0.5), 3))));
  }
}
