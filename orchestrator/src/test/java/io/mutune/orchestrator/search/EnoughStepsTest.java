package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnoughStepsTest {
  private static final Mu MU = Mu.of(0.5);

  /** One logit, whose stable rate is 15; a radius of ν · 0.1 · 0.5 · rows. */
  private static RunScale scale(long rows) {
    return Trials.scale(rows, 1);
  }

  @Test
  void theNumber_reachesTheLargestNoiseAtHalfOfTheStableRate() {
    EnoughSteps steps = EnoughSteps.of(10, scale(10_000), MU, 2000);

    // A radius of 5000 over 15.
    assertThat(steps.count()).isEqualTo(334);
    assertThat(steps.why())
        .hasValue(
            "334 steps: a logit noise of 10 at a learning rate of 15, half of the largest that is"
                + " stable, takes 334");
  }

  @Test
  void theLeastNumber_reachesTheLargestNoiseAtAStableRate() {
    EnoughSteps steps = EnoughSteps.least(10, scale(10_000), MU, 2000);

    // A radius of 5000 over twice 15.
    assertThat(steps.count()).isEqualTo(167);
    assertThat(5000.0 / steps.count()).isLessThanOrEqualTo(30);
    assertThat(5000.0 / (steps.count() - 1)).isGreaterThan(30);
    assertThat(steps.why())
        .hasValue(
            "167 steps: a logit noise of 10 at a learning rate of 30, the largest that is stable,"
                + " takes 167");
  }

  /** Whoever takes a ν takes the limit by which the steps were found. */
  @Test
  void aRunOfSoManySteps_isNotCut() {
    RunScale scale = scale(10_000);
    int steps = EnoughSteps.least(10, scale, MU, 2000).count();
    SearchStrategy.Target whole = new SearchStrategy.Target(MU, Epsilon.of(1));

    Decision decision =
        new Fixed(new Fixed.ByLogitNoise(10, steps)).decide(List.of(), whole, scale);

    assertThat(decision.guards()).isEmpty();
    assertThat(decision.point().radius()).isEqualTo(5000, within(1e-9));
  }

  @Test
  void fewRows_takeTheUsualNumber() {
    EnoughSteps steps = EnoughSteps.of(10, scale(1000), MU, 2000);

    assertThat(steps.count()).isEqualTo(100);
    assertThat(steps.why().orElseThrow()).startsWith("100 steps, as is usual: ").endsWith("34");
  }

  @Test
  void manyRows_stopAtTheBoundAndSaySo() {
    EnoughSteps steps = EnoughSteps.of(10, scale(1_000_000), MU, 2000);

    assertThat(steps.count()).isEqualTo(2000);
    assertThat(steps.why().orElseThrow())
        .startsWith("2000 steps, the most that are allowed: ")
        .endsWith("takes 33334");
    assertThat(EnoughSteps.of(10, scale(1_000_000), MU, 40_000).count()).isEqualTo(33_334);
  }

  @Test
  void aBoundBelowTheUsualNumber_binds() {
    EnoughSteps bound = EnoughSteps.of(10, scale(10), MU, 30);
    assertThat(bound.count()).isEqualTo(30);
    assertThat(bound.why().orElseThrow()).startsWith("30 steps, the most that the sweep allows: ");
  }

  @Test
  void aMethodWithoutNu_takesTheUsualNumber() {
    RunScale strange = new RunScale(1, 1, 0.9, 1_000_000, 1, 15, false);

    assertThat(EnoughSteps.of(10, strange, MU, 2000).count()).isEqualTo(100);
    EnoughSteps bound = EnoughSteps.of(10, strange, MU, 50);
    assertThat(bound.count()).isEqualTo(50);
    assertThat(bound.why())
        .hasValue(
            "50 steps, the most that the sweep allows: no stable learning rate is known for the"
                + " method");
  }
}
