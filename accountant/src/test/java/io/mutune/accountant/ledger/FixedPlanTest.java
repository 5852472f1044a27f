package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static io.mutune.accountant.ledger.Studies.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans with charges that have no μ: their filter, their total and what is stated of them. */
class FixedPlanTest {
  private static final Charge TRIAL_1 = sampled("trial 1", 6, 100);
  private static final Charge TRIAL_2 = sampled("trial 2", 6, 50);
  private static final Charge SCORE = charge("score 1", 1000);
  private static final Charge LAST = sampled("final", 4, 100);
  private static final List<Charge> PLAN = List.of(TRIAL_1, SCORE, TRIAL_2, LAST);

  /** A hundred such steps at q = 0.02 and σ = 4 have an ε of about 0.2 at δ = 1e-5. */
  private static Charge sampled(String what, double sigma, long steps) {
    return new Charge(what, new SubsampledGaussian(NoiseMultiplier.of(sigma), 0.02, 1, steps));
  }

  @Test
  void whatThePlanHas_isLetThroughOnceInAnyOrder() {
    PlanFilter filter = new PlanFilter(BUDGET, PLAN);
    List<Charge> spent = new ArrayList<>();
    List<Charge> order = new ArrayList<>(PLAN);
    Collections.reverse(order);
    for (Charge charge : order) {
      filter.check(spent, charge);
      spent.add(charge);
      assertThatExceptionOfType(PlanExceededException.class)
          .isThrownBy(() -> filter.check(spent, charge))
          .withMessageContaining("'" + charge.what() + "'");
    }
  }

  @Test
  void whatThePlanDoesNotHave_isRefusedHoweverCheap() {
    PlanFilter filter = new PlanFilter(BUDGET, PLAN);
    for (Charge other :
        List.of(
            sampled("trial 3", 1000, 1), sampled("trial 1", 6.1, 100), sampled("final", 4, 99))) {
      assertThatExceptionOfType(PlanExceededException.class)
          .isThrownBy(() -> filter.check(List.of(), other))
          .withMessageContaining("is not in the plan");
    }
  }

  @Test
  void aLedgerWithAStrangeCharge_letsNothingElseThrough() {
    PlanFilter filter = new PlanFilter(BUDGET, PLAN);
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> filter.check(List.of(charge("strange", 1e6)), TRIAL_1));
  }

  @Test
  void aPlanBeyondTheBudget_hasNoFilter() {
    List<Charge> dear = List.of(TRIAL_1, sampled("final", 0.8, 100));
    assertThat(PlanTotal.of(BUDGET, dear).epsilon().value()).isGreaterThan(1);
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> new PlanFilter(BUDGET, dear))
        .withMessageContaining("do not keep epsilon 1.0 at delta 1.0E-5");
  }

  @Test
  void aTotal_isTheLeastBoundToTheBitInWhateverOrder() {
    PlanTotal total = PlanTotal.of(BUDGET, PLAN);
    List<Charge> reversed = new ArrayList<>(PLAN);
    Collections.reverse(reversed);
    assertThat(PlanTotal.of(BUDGET, reversed)).isEqualTo(total);
    Releases asTheyStand =
        new Releases(PLAN.stream().map(Charge::mechanism).toList(), BUDGET.adjacency());
    // Merged or not, numerical composition is good to about 1% here and not to the last bits.
    assertThat(total.epsilon().value())
        .isBetween(
            CombinedGuarantee.GUARANTEE.bound(asTheyStand, new EpsilonAt(BUDGET.delta())).lower(),
            1.01
                * CombinedGuarantee.GUARANTEE
                    .bound(asTheyStand, new EpsilonAt(BUDGET.delta()))
                    .upper());
    assertThat(total.accountant()).isEqualTo(Accountant.PLD);
  }

  @Test
  void equalMechanisms_areOneWithTheSumOfTheirCounts() {
    assertThat(PlanTotal.releases(BUDGET, List.of(TRIAL_1, LAST, TRIAL_2)).mechanisms())
        .containsExactlyInAnyOrder(
            LAST.mechanism(), new SubsampledGaussian(NoiseMultiplier.of(6), 0.02, 1, 150));
  }

  @Test
  void mechanismsWithoutACount_eachStayWhereThereAreTwo() {
    Mechanism repeated = new RepeatAndSelect(TRIAL_1.mechanism(), new PoissonTrials(3));
    List<Charge> two = List.of(new Charge("one", repeated), new Charge("other", repeated));
    assertThat(PlanTotal.releases(BUDGET, two).mechanisms()).containsExactly(repeated, repeated);
  }

  private static PrivacyStatement state(Budget budget, List<Charge> charges) {
    return PrivacyStatement.of(
        budget, charges, "one row", "public rows", "secure", List.of(), List.of());
  }

  @Test
  void aStatement_saysTheTotalAndWhoseBoundItIs() {
    PrivacyStatement statement = state(BUDGET, PLAN);
    PlanTotal total = PlanTotal.of(BUDGET, PLAN);
    assertThat(statement.epsilon()).isEqualTo(total.epsilon());
    assertThat(statement.accountant()).isEqualTo(total.accountant());
    assertThat(statement.mu()).isEmpty();
    assertThat(
            MixtureAudit.check(BUDGET, PLAN, statement.epsilon(), statement.accountant())
                .problems())
        .isEmpty();
  }

  @Test
  void aTotalBeyondTheBudget_isNotStatedToHold() {
    Budget small = new Budget(Epsilon.of(0.1), BUDGET.delta(), BUDGET.adjacency());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(small, PLAN))
        .withMessageContaining("which passes the budget's 0.1");
  }
}
