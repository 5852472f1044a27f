package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.Calibrator;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.function.DoublePredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of docs/accounting.md: the σ with which a run may be selected at (1, 1e-5). */
class SelectionTableTest {
  private static final Epsilon EPSILON = Epsilon.of(1);
  private static final Delta DELTA = Delta.of(1e-5);

  /** Half of the last printed digit, and what the searches may miss. */
  private static final double PRINTED = 0.0006;

  private static RepeatAndSelect selection(double sigma, TrialCount law) {
    return new RepeatAndSelect(new Gaussian(NoiseMultiplier.of(sigma), 1, 1), law);
  }

  private static TrialCount law(String shape, double mean) {
    return shape.equals("binomial")
        ? new BinomialTrials((int) (2 * mean), 0.5)
        : shape.equals("poisson")
            ? new PoissonTrials(mean)
            : TruncatedNegativeBinomial.ofMean(Double.parseDouble(shape), mean);
  }

  private static double least(Accountant accountant, TrialCount law) {
    return new Calibrator(accountant, EPSILON, DELTA)
        .noise(s -> Releases.of(Adjacency.ADD_REMOVE, selection(s, law)))
        .value();
  }

  private static double least(DoublePredicate isEnough) {
    double low = 0.5;
    double high = 100;
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (isEnough.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /**
   * By one factor for all outputs: δ(ε) ≤ m·δ₁(ε − c), with the most that the weights of the two
   * data sets may differ by for c: (1 + η)·ln max(e^ε₁, 1 + δ₁(ε₁)·(1 − γ)/γ) for every ε₁, and
   * m·δ₁(0) for Poisson's law.
   */
  private static boolean isEnoughByOneFactor(double sigma, TrialCount trials) {
    GaussianDp run = GaussianDp.of(Mu.of(1 / sigma));
    double least = Double.POSITIVE_INFINITY;
    if (trials instanceof TruncatedNegativeBinomial law) {
      for (double e = 0; e < 1; e += 0.0005) {
        double odds = (1 - law.gamma()) / law.gamma();
        double rise = Math.max(Math.exp(e), 1 + odds * run.delta(Epsilon.of(e)).value());
        least = Math.min(least, (1 + law.shape()) * Math.log(rise));
      }
    } else {
      least = trials.mean() * run.delta(Epsilon.of(0)).value();
    }
    double left = 1 - least;
    return left >= 0 && trials.mean() * run.delta(Epsilon.of(left)).value() <= DELTA.value();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 10, 7.016, 5.520, 5.295, 5.273",
    "1, 3, 6.949, 4.781, 4.612, 4.594",
    "1, 10, 8.518, 5.921, 5.594, 5.564",
    "1, 100, 10.748, 7.974, 7.432, 7.387",
    "poisson, 10, 7.335, 8.017, 7.072, 6.983",
    "binomial, 10, 18.090, 8.017, 7.845, 7.689"
  })
  void theNoiseOfARun_isThatOfTheTable(
      String shape, double mean, double renyi, double oneFactor, double whole, double floor) {
    TrialCount law = law(shape, mean);
    double[] found = {
      least(Accountant.RDP, law),
      least(s -> isEnoughByOneFactor(s, law)),
      least(Accountant.PLD, law),
      least(
          s ->
              WorstOrder.of(selection(s, law), Adjacency.ADD_REMOVE).orElseThrow().delta(1)
                  <= DELTA.value())
    };
    assertThat(found)
        .containsExactly(new double[] {renyi, oneFactor, found[2], floor}, within(PRINTED));
    // Whoever takes it from the table stays within the budget.
    assertThat(whole - found[2]).isBetween(0.0, 2 * PRINTED);
  }

  /** Events too rare beside what ranks above them for a difference of doubles. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1e-12",
    "1, 2, 1e-9",
    "1, 3, 1e-7",
    "1, 4, 1e-6",
    "0, 2, 1e-9",
    "poisson, 2, 1e-9"
  })
  void aBadOrder_isBelowTheBound_alsoFarOut(String shape, double mu, double delta) {
    RepeatAndSelect selection = selection(1 / mu, law(shape, 10));
    double bound =
        CombinedGuarantee.GUARANTEE
            .bound(Releases.of(Adjacency.ADD_REMOVE, selection), new EpsilonAt(Delta.of(delta)))
            .upper();
    assertThat(
            WorstOrder.of(selection, Adjacency.ADD_REMOVE).orElseThrow().epsilon(Delta.of(delta)))
        .isBetween(0.6 * bound, bound);
  }
}
