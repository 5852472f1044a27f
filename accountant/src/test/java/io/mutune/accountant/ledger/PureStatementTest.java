package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of studies all of whose charges are ε-DP: never dearer than their ε added up. */
class PureStatementTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static Budget budget(double epsilon) {
    return new Budget(Epsilon.of(epsilon), DELTA, Adjacency.ADD_REMOVE);
  }

  private static Charge pure(String what, double epsilon, long count) {
    return new Charge(what, new PureDp(Epsilon.of(epsilon), count));
  }

  private static PrivacyStatement state(Budget budget, List<Charge> charges) {
    return PrivacyStatement.of(
        budget, charges, "one row", "public rows", "secure", List.of(), List.of());
  }

  private static PrivacyStatement fixed(Budget budget, Charge... charges) {
    return state(budget, List.of(charges));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 0.1, 1, 2, 8})
  void oneRelease_isStatedAsItsEpsilonAndNotByItsMu(double epsilon) {
    PrivacyStatement statement = fixed(budget(100), pure("final", epsilon, 1));
    assertThat(statement.epsilon().value()).isPositive().isLessThanOrEqualTo(epsilon);
    // A failure of 1e-5 takes e^(-ε)(1 + e^ε)·1e-5 from it at most, and the grid less than 1e-4.
    double gained = Math.log1p(-1e-5 * (1 + Math.exp(-epsilon)));
    assertThat(statement.epsilon().value()).isGreaterThanOrEqualTo((epsilon + gained) * 0.9);
    double byMu = Balance.of(budget(100), statement.charges()).epsilonSpent().value();
    assertThat(byMu).isGreaterThan(epsilon);
    assertThat(statement.accountant()).isNotEqualTo(Accountant.GDP);
    assertThat(statement.mu()).isEmpty();
  }

  /** What was kept by adding up ε has a μ beyond the cap: it was refused to be stated at all. */
  @Test
  void aPlanThatKeepsItsBudgetByBasicComposition_isStatedToHold() {
    Budget budget = budget(1);
    List<Charge> plan = List.of(pure("trial 1", 0.25, 1), pure("final", 0.75, 1));
    assertThat(Balance.of(budget, plan).spent().mu().value())
        .isGreaterThan(budget.cap().mu().value());
    PlanFilter filter = new PlanFilter(budget, plan);
    filter.check(List.of(), plan.get(0));
    filter.check(plan.subList(0, 1), plan.get(1));
    PrivacyStatement statement = state(budget, plan);
    assertThat(statement.epsilon().value()).isBetween(0.99, 1.0);
    assertThat(statement.guarantee()).isEqualTo(PrivacyStatement.Guarantee.HOLDS);
  }

  @Test
  void aBitMoreThanTheBudget_isNotAdmittedAndNotStated() {
    Budget budget = budget(1);
    List<Charge> plan = List.of(pure("trial 1", 0.25, 1), pure("final", 0.7501, 1));
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> new PlanFilter(budget, plan));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state(budget, plan))
        .withMessageContaining("no guarantee holds for epsilon = 1.0000");
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void everyPureMechanism_isStatedWithinTheSumOfItsEpsilons(Adjacency adjacency) {
    Budget budget = new Budget(Epsilon.of(50), DELTA, adjacency);
    Epsilon half = Epsilon.of(0.5);
    List<Charge> each =
        List.of(
            new Charge("mean", new Laplace(4, 2, 3)),
            new Charge("sampled", new SubsampledLaplace(4, 0.1, 2, 3)),
            new Charge("choice", new ExponentialMechanism(half, 3)),
            new Charge("bit", new RandomizedResponse(half, 3)),
            new Charge("any", new PureDp(half, 3)));
    for (Charge charge : each) {
      assertThat(fixed(budget, charge).epsilon().value())
          .as(charge.mechanism().name())
          .isPositive()
          .isLessThanOrEqualTo(1.5 * (1 + 1e-9));
    }
    assertThat(state(budget, each).epsilon().value()).isLessThan(7.5);
  }

  /** Many small ones are cheaper together than their sum; then whoever is tightest is named. */
  @Test
  void manyReleases_areStatedByTheTightestAccountant() {
    Budget budget = budget(3);
    PrivacyStatement statement = fixed(budget, pure("scores", 0.01, 1000));
    PlanTotal total = PlanTotal.of(budget, statement.charges());
    assertThat(statement.epsilon()).isEqualTo(total.epsilon());
    assertThat(statement.accountant()).isEqualTo(total.accountant());
    assertThat(statement.epsilon().value()).isLessThan(2);
    assertThat(
            MixtureAudit.check(
                    budget, statement.charges(), statement.epsilon(), statement.accountant())
                .problems())
        .isEmpty();
  }

  @Test
  void withAGaussianBeside_theTotalStaysInMu() {
    Budget budget = budget(2);
    PrivacyStatement statement = fixed(budget, charge("trial 1", 100), pure("final", 0.05, 1));
    Balance balance = Balance.of(budget, statement.charges());
    assertThat(statement.accountant()).isEqualTo(Accountant.GDP);
    assertThat(statement.epsilon()).isEqualTo(balance.epsilonSpent());
    assertThat(statement.mu()).contains(balance.spent().mu());
  }

  @Test
  void nothingCharged_isStatedInMuAsNothing() {
    PrivacyStatement statement = fixed(budget(2));
    assertThat(statement.epsilon()).isEqualTo(Epsilon.of(0));
    assertThat(statement.mu()).contains(Mu.ZERO);
  }

  @Test
  void anEpsilonBelowTheTightestBound_cannotBeStated() {
    Budget budget = budget(2);
    PrivacyStatement s = fixed(budget, pure("final", 0.5, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PrivacyStatement(
                    s.guarantee(),
                    null,
                    s.unit(),
                    budget,
                    Epsilon.of(Math.nextDown(s.epsilon().value())),
                    Optional.empty(),
                    s.accountant(),
                    s.charges(),
                    s.whole(),
                    s.scoring(),
                    s.noise(),
                    s.released(),
                    s.excluded()))
        .withMessageStartingWith("epsilon must be at least the " + s.epsilon().value());
  }

  /** Whatever a filter let through is stated within the budget: in μ, or as a plan. */
  @Property(tries = 12)
  void whatAFilterAdmits_isStatedWithinTheBudget(
      @ForAll @IntRange(min = 1, max = 4) int charges,
      @ForAll @DoubleRange(min = 0.01, max = 1) double epsilon) {
    Budget budget = budget(1);
    List<Charge> ledger = new ArrayList<>();
    BudgetFilter inMu = new BudgetFilter(budget);
    for (int i = 0; i < charges; i++) {
      Charge asked = pure("trial " + i, epsilon / (i + 1), 1);
      try {
        inMu.check(ledger, asked);
        ledger.add(asked);
      } catch (BudgetExceededException e) {
        break;
      }
    }
    PrivacyStatement statement = state(budget, ledger);
    assertThat(statement.epsilon().value())
        .isLessThanOrEqualTo(Balance.of(budget, ledger).epsilonSpent().value())
        .isLessThanOrEqualTo(1);
  }
}
