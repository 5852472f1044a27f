package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.empirical.Guesses;
import io.mutune.accountant.empirical.OneRunAudit;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.noise.SeededNoise;
import org.junit.jupiter.api.Test;

/** One run of NoisyGD, audited by canaries whose coins nobody knows. */
class OneRunTest {
  private static final int CLASSES = 10;
  private static final double CLIP = 0.5;
  private static final double ALPHA = 0.001;

  /** The bound that canaries reach in one run of so many steps at (ε, δ). */
  private static double bound(
      double epsilon, double delta, int features, int canaries, int each, int steps, long seed) {
    Mu mu = GaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(delta)).mu();
    double sigma = Calibration.noise(mu, 1, steps).value();
    KnownRows base = Attacked.easyRows(100, features, CLASSES, 3);
    KnownRows rows = Canaries.gradient(base, CLASSES, canaries, 4);
    boolean[] member = Attacked.coins(canaries, seed);
    ReleasedDescent released =
        new Attacked(CLASSES, CLIP, sigma, steps)
            .engine(Engine.REFERENCE)
            .noise(new SeededNoise(seed))
            .publicRows(5000)
            .run(base.and(rows.where(member, true)))
            .descent();
    double[] scores =
        new GradientAttack(base, rows, Attacked.LOSS, CLASSES, Engine.REFERENCE).scores(released);
    Guesses guesses = Guesses.ofExtremes(scores, member, each);
    return OneRunAudit.epsilonAtLeast(guesses, Delta.of(delta), ALPHA);
  }

  /**
   * Must-show 2 of the issue: a third of ε at a confidence of 99.9%. Simulated 12 times by another
   * program the share was 0.395 in the median and 0.369 at the least, a deviation of about 0.012;
   * with seeds that are fixed this repeats.
   */
  @Test
  void gradientCanaries_reachAThirdOfEpsilon() {
    double bound = bound(8, 1e-6, 1000, 10_000, 400, 2, 21);

    assertThat(bound).isBetween(8 / 3.0, 8.0);
  }

  /**
   * Must-show 2 of the issue: 200 audits at 99.9% stay below ε = 2. Of 100 guesses 98 would have to
   * be right for more; at μ = 0.50 the 50 greatest and the 50 least of 400 scores are right in 70
   * of 100 on average, with a deviation of 4.7 (Binomial(100, 0.70) is 98 or more with 2e-13).
   */
  @Test
  void twoHundredAudits_stayBelowTheGuarantee() {
    int positive = 0;
    for (int audit = 0; audit < 200; audit++) {
      double bound = bound(2, 1e-5, 40, 400, 50, 3, 100 + audit);
      assertThat(bound).as("audit %d", audit).isLessThan(2);
      positive += bound > 0 ? 1 : 0;
    }
    // Not because the attack does nothing.
    assertThat(positive).isPositive();
  }
}
