package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static io.mutune.accountant.ledger.Studies.charge;
import static io.mutune.accountant.ledger.Studies.costing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BudgetFilterTest {
  private final BudgetFilter filter = new BudgetFilter(BUDGET);

  @Test
  void chargesWithinTheBudget_areAdmittedWithTheBalanceAfterThem() {
    List<Charge> spent = List.of(charge("trial 1", 100));
    List<Charge> asked = List.of(charge("trial 2", 100), charge("trial 3", 100));
    List<Charge> all = new ArrayList<>(spent);
    all.addAll(asked);
    assertThat(filter.admit(spent, asked)).isEqualTo(Balance.of(BUDGET, all));
  }

  @Test
  void aChargeBeyondTheBudget_isRefusedAndNamesTheNumbers() {
    List<Charge> spent = List.of(charge("trial 1", 51));
    BudgetExceededException refusal =
        catchThrowableOfType(
            BudgetExceededException.class,
            () -> filter.admit(spent, List.of(charge("trial 2", 41))));
    assertThat(refusal.budget()).isEqualTo(BUDGET);
    assertThat(refusal.spent()).isEqualTo(GaussianDp.of(Mu.of(Math.nextUp(10.0 / 51))));
    assertThat(refusal.asked()).isEqualTo(GaussianDp.of(Mu.of(Math.nextUp(10.0 / 41))));
    assertThat(refusal.left()).isEqualTo(Balance.of(BUDGET, spent).left());
    // With 80 digits: ε(10/41 = 0.243902439) = 0.901594398, ε(10/51 = 0.196078431) = 0.709982423
    // and ε(√(0.268051123² − (10/51)²) = 0.182769400) = 0.657488806.
    assertThat(refusal)
        .hasMessage(
            "over budget: asked for epsilon 0.901595 (mu 0.243903) with epsilon 0.709983"
                + " (mu 0.196079) spent and epsilon 0.657488 (mu 0.182769) left of epsilon 1"
                + " (mu 0.268051) at delta 1e-5; squares of mu add up, epsilons do not (costs are"
                + " rounded up, what is left down)");
  }

  @Test
  void chargesThatFitOneByOneButNotTogether_areRefused() {
    List<Charge> both = List.of(charge("trial 1", 50), charge("trial 2", 50));
    filter.admit(List.of(), both.subList(0, 1));
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> filter.admit(List.of(), both));
  }

  @Test
  void afterARefusal_aSmallerChargeIsAdmitted() {
    List<Charge> spent = List.of(charge("trial 1", 50));
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> filter.admit(spent, List.of(charge("trial 2", 50))));
    assertThat(filter.admit(spent, List.of(charge("trial 2", 100))).spent().mu().value())
        .isGreaterThan(0.2);
  }

  @Test
  void theWholeBudget_mayBeSpentAtOnceAndNotOneBitMore() {
    Gaussian all = (Gaussian) costing("final", BUDGET.cap().mu()).mechanism();
    filter.admit(List.of(), List.of(new Charge("final", all)));
    double less = Math.nextDown(all.sigma().value());
    Gaussian more = new Gaussian(NoiseMultiplier.of(less), all.sensitivity(), all.count());
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> filter.admit(List.of(), List.of(new Charge("final", more))));
  }

  @Property
  void whatIsLeft_isAlwaysAdmittedAndThenSpendsNoMoreThanTheBudget(
      @ForAll @Size(max = 8) List<@DoubleRange(min = 0.01, max = 0.09) Double> shares) {
    List<Charge> spent =
        shares.stream().map(share -> costing("trial", Mu.of(share / 3 * 2.9))).toList();
    Mu left = Balance.of(BUDGET, spent).left().mu();
    Balance after = filter.admit(spent, List.of(costing("final", left)));
    assertThat(after.epsilonSpent().value()).isBetween(1 - 1e-10, 1.0);
  }
}
