package io.mutune.accountant.empirical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClopperPearsonTest {
  /** Quantiles of the beta distribution by SciPy 1.17, good for nine digits at least. */
  @ParameterizedTest
  @CsvSource({
    "0, 100, 0.05, 0, 0.029513049607039925",
    "3, 200, 5e-7, 7.273546573732073e-05, 0.1055878204018239",
    "199, 200, 0.001, 0.9547713730913805, 0.9999949975108445",
    "50, 100, 0.025, 0.39832112950330095, 0.601678870496699",
    "1, 1000000, 1e-9, 1.0000000004999996e-15, 2.393945328218574e-05"
  })
  void bounds_areThoseOfTheReference(int hits, int n, double alpha, double lower, double upper) {
    assertThat(ClopperPearson.upper(hits, n, alpha))
        .isCloseTo(upper, Percentage.withPercentage(1e-6));
    // At the lower bound what was seen, or more, has the probability alpha.
    assertThat(BinomialTail.atLeast(hits, n, lower))
        .isCloseTo(hits == 0 ? 1 : alpha, Percentage.withPercentage(1e-5));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.05", "20, 1e-6", "1000, 0.5"})
  void noHitAtAll_hasItsClosedForm_onTheSafeSide(int n, double alpha) {
    double exact = -Math.expm1(Math.log(alpha) / n);

    assertThat(ClopperPearson.upper(0, n, alpha))
        .isGreaterThanOrEqualTo(exact * (1 - 1e-15))
        .isCloseTo(exact, Percentage.withPercentage(1e-6));
    assertThat(ClopperPearson.upper(n, n, alpha)).isEqualTo(1);
  }

  /** What makes it a bound: at the probability itself it fails no more often than alpha. */
  @ParameterizedTest
  @CsvSource({"40, 0.3, 0.05", "40, 0.01, 0.001", "7, 0.9, 0.2"})
  void coverage_isExact(int n, double p, double alpha) {
    double above = 0;
    for (int hits = 0; hits <= n; hits++) {
      double probability = BinomialTail.atLeast(hits, n, p) - BinomialTail.atLeast(hits + 1, n, p);
      above += ClopperPearson.upper(hits, n, alpha) < p ? probability : 0;
    }
    assertThat(above).isLessThanOrEqualTo(alpha);
  }

  @Test
  void tails_addUpToMoreThanOne_sinceBothAreRoundedUp() {
    for (int k = -1; k <= 31; k++) {
      double both = BinomialTail.atMost(k - 1, 30, 0.37) + BinomialTail.atLeast(k, 30, 0.37);
      assertThat(both).isBetween(1 - 1e-15, 1 + 1e-9);
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 5, 0.1", "6, 5, 0.1", "0, 0, 0.1", "1, 5, 0", "1, 5, 1"})
  void whatIsNoCount_isRefused(int hits, int n, double alpha) {
    assertThatThrownBy(() -> ClopperPearson.upper(hits, n, alpha))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
