package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Trials.DELTA;
import static io.mutune.orchestrator.search.Trials.mu;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SplitProposal.Amounts;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

class SplitProposalTest {
  private static Budget budget(double epsilon) {
    return new Budget(Epsilon.of(epsilon), DELTA, Adjacency.ADD_REMOVE);
  }

  private static double muOf(Epsilon epsilon) {
    return GaussianDp.ofBudget(epsilon, DELTA).mu().value();
  }

  @Property(tries = 200)
  void trialsAndScores_takeTheirShareOfTheBudget(
      @ForAll @DoubleRange(min = 0.2, max = 10) double epsilon,
      @ForAll @LongRange(min = 100, max = 1_000_000) long rows) {
    double cap = mu(epsilon).value();
    SplitProposal split = SplitProposal.of(budget(epsilon), rows, Amounts.USUAL);

    double spent = 0;
    for (SweepRound round : split.rounds()) {
      spent +=
          round.trials() * (Math.pow(muOf(round.epsilon()), 2) + Math.pow(muOf(split.score()), 2));
    }

    assertThat(split.rounds().isEmpty()).isEqualTo(cap * rows < 1600);
    // ε and back is rounded down; the square adds at most some roundings.
    double share = split.rounds().isEmpty() ? 0 : 0.07 * cap * cap;
    assertThat(spent).isBetween(0.999 * share, share * (1 + 1e-9));
  }

  @Example
  void trialsOfEarlierStudies_tookNoMoreThanABound() {
    double trial =
        muOf(SplitProposal.of(budget(1), 60_000, Amounts.SURER).rounds().get(0).epsilon());
    double dearer =
        muOf(SplitProposal.of(budget(1), 60_000, Amounts.USUAL).rounds().get(0).epsilon());

    assertThat(60_000 * trial).isBetween(1599.0, 1600.0);
    assertThat(60_000 * dearer).isBetween(2100.0, 60_000 * mu(1).value() * Math.sqrt(0.07 / 3));
  }

  @Example
  void aLine_hasThePapersSweeps_orNoneWhereTheyWouldSayNothing() {
    SplitProposal many = SplitProposal.ofLine(budget(1), 15_000, 1, 1600, true);
    SplitProposal few = SplitProposal.ofLine(budget(1), 5000, 1, 1600, true);
    SplitProposal earlier = SplitProposal.ofLine(budget(1), 5000, 1, 0, true);
    SplitProposal weak = SplitProposal.ofLine(budget(1), 1300, 1, 0, true);

    assertThat(many.rounds())
        .containsExactly(new SweepRound(Epsilon.of(0.1), 3), new SweepRound(Epsilon.of(0.2), 3));
    // Six scores of 3% of the budget's μ² together; ε and back is rounded down.
    assertThat(6 * Math.pow(muOf(many.score()) / mu(1).value(), 2)).isBetween(0.0299, 0.03);
    assertThat(few.rounds()).isEmpty();
    assertThat(few.why()).contains("below 1600");
    assertThat(earlier.rounds()).isEqualTo(many.rounds());
    assertThat(weak.rounds()).isEmpty();
    assertThat(weak.why()).contains("of 80, below 170");
  }

  /** At a tenth, two, three and four tenths of ε = 10 the trials alone have more than all of it. */
  @Example
  void trialsOfALine_leaveHalfToTheFinalRun_whereSoManyPartsWouldLeaveNothing() {
    for (double epsilon : new double[] {0.5, 1, 10, 50}) {
      for (int degree = 1; degree <= 5; degree++) {
        double cap = mu(epsilon).value();
        SplitProposal split = SplitProposal.ofLine(budget(epsilon), 60_000, degree, 1600, true);

        double trials =
            split.rounds().stream()
                .mapToDouble(round -> round.trials() * Math.pow(muOf(round.epsilon()) / cap, 2))
                .sum();
        double scores = 3 * (degree + 1) * Math.pow(muOf(split.score()) / cap, 2);
        boolean asThePaper =
            split.rounds().get(0).equals(new SweepRound(Epsilon.of(0.1 * epsilon), 3));
        assertThat(split.rounds().stream().map(SweepRound::epsilon).distinct()).hasSize(degree + 1);
        assertThat(trials + scores).as(degree + " at " + epsilon).isLessThan(1);
        if (!asThePaper) {
          // ε and back is rounded down.
          assertThat(trials).isBetween(0.499, 0.5);
          assertThat(split.why()).contains(" parts of epsilon, for 50%, and scores");
        }
      }
    }
  }

  @Example
  void withFewRows_nothingIsTriedAndThePlanSaysWhy() {
    assertThat(SplitProposal.of(budget(1), 1300, Amounts.USUAL).why()).contains("below 1600");
  }
}
