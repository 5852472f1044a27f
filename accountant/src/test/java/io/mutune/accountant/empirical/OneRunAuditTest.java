package io.mutune.accountant.empirical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Delta;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneRunAuditTest {
  private static final Delta NONE = Delta.of(0);

  /**
   * Against the formula of Steinke, Nasr and Jagielski's Appendix D, computed apart with SciPy's
   * binomial law and thirty halvings. Ours ends up to a step of 1/4096 and what one step's bound
   * gives away below.
   */
  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 600, 1e-5, 0.05, 0.2972269537167449",
    "1000, 200, 190, 1e-5, 0.001, 1.9058672443134128",
    "10000, 800, 760, 1e-6, 0.001, 2.43388899423735",
    "100, 100, 100, 0, 0.05, 3.4929654311417835",
    "5000, 400, 300, 1e-6, 0.001, 0.7365006126747176",
    "50, 20, 18, 1e-3, 0.05, 0.8459284596574435",
    "1000, 1000, 500, 1e-5, 0.05, 0"
  })
  void theBound_isThatOfTheReference_orALittleLess(
      int rows, int made, int right, double delta, double alpha, double reference) {
    double bound =
        OneRunAudit.epsilonAtLeast(new Guesses(rows, made, right), Delta.of(delta), alpha);

    assertThat(bound).isLessThanOrEqualTo(reference + 1e-8).isGreaterThan(reference - 2e-3);
  }

  /** With δ = 0 and every guess right the p-value is q^r, q = e^ε/(1 + e^ε). */
  @ParameterizedTest
  @CsvSource({"1, 0.5", "10, 1.5", "500, 5"})
  void everyGuessRight_hasItsClosedForm(int made, double epsilon) {
    double q = 1 / (1 + Math.exp(-epsilon));

    assertThat(OneRunAudit.over(new Guesses(made, made, made), epsilon, epsilon, NONE))
        .isCloseTo(Math.pow(q, made), Offset.offset(1e-9));
  }

  /** With δ every term is there to see: r = 2, v = 1, W in {0, 1, 2}. */
  @Test
  void deltasTerm_isTheGreatestOfItsMeans() {
    double q = 1 / (1 + Math.exp(-1.0));
    double tail = 1 - (1 - q) * (1 - q);
    double below = (1 - q) * (1 - q);

    assertThat(OneRunAudit.over(new Guesses(7, 2, 1), 1, 1, Delta.of(0.001)))
        .isCloseTo(Math.min(1, tail + 14 * 0.001 * below), Offset.offset(1e-9));
    // v = 2: i = 1 takes P[W = 1], i = 2 half of P[W < 2].
    double one = 2 * q * (1 - q);
    assertThat(OneRunAudit.over(new Guesses(7, 2, 2), 1, 1, Delta.of(0.001)))
        .isCloseTo(q * q + 14 * 0.001 * Math.max(one, (one + below) / 2), Offset.offset(1e-9));
  }

  @Test
  void anAttackerWhoIsAlwaysRight_isBelievedNoFurtherThanTheGuessesGo() {
    assertThat(OneRunAudit.epsilonAtLeast(new Guesses(20, 20, 20), NONE, 0.01)).isLessThan(1.5);
    assertThat(OneRunAudit.epsilonAtLeast(new Guesses(1 << 30, 1 << 30, 1 << 30), NONE, 0.9))
        .isBetween(20.0, 64.0);
  }

  /** A mechanism with a large δ is not accused for what δ allows. */
  @Test
  void whatDeltaAllows_isNoEvidence() {
    assertThat(OneRunAudit.epsilonAtLeast(new Guesses(100, 10, 10), Delta.of(0.05), 0.01)).isZero();
    assertThat(OneRunAudit.epsilonAtLeast(new Guesses(100, 10, 10), NONE, 0.01)).isPositive();
  }

  /**
   * Must-show 3 of the issue: scores that know no coin give a bound of 0. Each of 200 audits is
   * above 0 with a probability of at most alpha = 1e-12, so this fails once in 5e9 times; the seed
   * is fixed besides.
   */
  @Test
  void aNullAuditor_showsNothing() {
    long seed = 8;
    SplittableRandom random = new SplittableRandom(seed);
    for (int audit = 0; audit < 200; audit++) {
      double[] scores = random.doubles(1000).toArray();
      boolean[] member = new boolean[1000];
      for (int i = 0; i < member.length; i++) {
        member[i] = random.nextBoolean();
      }
      Guesses guesses = Guesses.ofExtremes(scores, member, 250);
      assertThat(OneRunAudit.epsilonAtLeast(guesses, Delta.of(1e-5), 1e-12))
          .as("seed %d, audit %d: %s", seed, audit, guesses)
          .isZero();
    }
  }

  /**
   * Randomised response of ε = 1 is the worst case of the theorem. 1000 audits at a confidence of
   * 99.9% may pass ε once each in 1000: Binomial(1000, 0.001) is above 12 with a probability of
   * 5e-11.
   */
  @Test
  void randomisedResponse_isRarelyAccusedAndOftenNearlyCaught() {
    SplittableRandom random = new SplittableRandom(9);
    int accused = 0;
    double greatest = 0;
    for (int audit = 0; audit < 1000; audit++) {
      int right = 0;
      for (int i = 0; i < 400; i++) {
        right += random.nextDouble() < 1 / (1 + Math.exp(-1)) ? 1 : 0;
      }
      double bound = OneRunAudit.epsilonAtLeast(new Guesses(400, 400, right), NONE, 0.001);
      accused += bound > 1 ? 1 : 0;
      greatest = Math.max(greatest, bound);
    }
    assertThat(accused).isLessThanOrEqualTo(12);
    assertThat(greatest).isGreaterThan(0.8);
  }

  @Test
  void extremes_areGuessedFromBothEnds_andTiesByPosition() {
    double[] scores = {3, -1, Double.NaN, 5, 0, -0.0};
    boolean[] member = {true, false, true, false, false, false};

    assertThat(Guesses.ofExtremes(scores, member, 1)).isEqualTo(new Guesses(6, 2, 1));
    assertThat(Guesses.ofExtremes(scores, member, 2)).isEqualTo(new Guesses(6, 4, 2));
    assertThat(Guesses.ofExtremes(scores, member, 0)).isEqualTo(new Guesses(6, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "5, 6, 1", "5, 3, 4", "5, -1, 0", "5, 3, -1"})
  void guessesThatCannotBe_areRefused(int rows, int made, int right) {
    assertThatThrownBy(() -> new Guesses(rows, made, right))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void moreGuessesThanRows_areRefused() {
    assertThatThrownBy(() -> Guesses.ofExtremes(new double[5], new boolean[5], 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 scores");
    assertThatThrownBy(() -> Guesses.ofExtremes(new double[5], new boolean[4], 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aConfidenceOfEverything_isRefused() {
    assertThatThrownBy(() -> OneRunAudit.epsilonAtLeast(new Guesses(1, 1, 1), NONE, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("confidence");
  }
}
