package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static io.mutune.accountant.ledger.Studies.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.PrivacyStatement.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrivacyStatementTest {
  private static final List<Charge> CHARGES = List.of(charge("trial 1", 100), charge("final", 50));
  private static final Balance TOTAL = Balance.of(BUDGET, CHARGES);

  private static PrivacyStatement of(List<Charge> charges) {
    return PrivacyStatement.of(
        BUDGET,
        charges,
        "one row of the private data",
        "accuracy on public rows",
        "secure",
        List.of("the final model"),
        List.of("the number of trials"));
  }

  private static PrivacyStatement stating(
      Guarantee guarantee, @Nullable String why, Epsilon epsilon, Mu mu) {
    return new PrivacyStatement(
        guarantee,
        why,
        "one row",
        BUDGET,
        epsilon,
        Optional.of(mu),
        Accountant.GDP,
        CHARGES,
        CHARGES,
        "public rows",
        "secure",
        List.of(),
        List.of());
  }

  private static PrivacyStatement holding(Epsilon epsilon, Mu mu) {
    return stating(Guarantee.HOLDS, null, epsilon, mu);
  }

  private static Epsilon justBelow(Epsilon epsilon) {
    return Epsilon.of(Math.nextDown(epsilon.value()));
  }

  private static Mu justBelow(Mu mu) {
    return Mu.of(Math.nextDown(mu.value()));
  }

  @Test
  void aStatement_hasTheTotalsOfItsCharges() {
    PrivacyStatement statement = of(CHARGES);
    assertThat(statement.guarantee()).isEqualTo(Guarantee.HOLDS);
    assertThat(statement.why()).isNull();
    assertThat(statement.mu()).contains(TOTAL.spent().mu());
    assertThat(statement.epsilon()).isEqualTo(TOTAL.epsilonSpent());
    assertThat(statement.delta()).isEqualTo(BUDGET.delta());
  }

  @Test
  void itsTotals_passTheAudit() {
    PrivacyStatement statement = of(CHARGES);
    assertThat(
            Audit.check(
                    BUDGET, statement.charges(), statement.epsilon(), statement.mu().orElseThrow())
                .problems())
        .isEmpty();
  }

  @Test
  void aVoidStatement_saysWhyAndKeepsEveryReason() {
    PrivacyStatement statement = of(CHARGES).withVoid("trials were chosen by private accuracy");
    assertThat(statement.guarantee()).isEqualTo(Guarantee.VOID);
    assertThat(statement.why()).isEqualTo("trials were chosen by private accuracy");
    assertThat(statement.charges()).isEqualTo(CHARGES);
    assertThat(statement.withVoid("the noise was not secret").why())
        .isEqualTo("trials were chosen by private accuracy; the noise was not secret");
  }

  @Test
  void aReason_belongsToAVoidGuaranteeAndToNoOther() {
    Epsilon epsilon = TOTAL.epsilonSpent();
    Mu mu = TOTAL.spent().mu();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stating(Guarantee.VOID, null, epsilon, mu));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stating(Guarantee.VOID, " ", epsilon, mu));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stating(Guarantee.HOLDS, "but", epsilon, mu))
        .withMessageContaining("holds with why = but");
    assertThatIllegalArgumentException().isThrownBy(() -> of(CHARGES).withVoid(""));
  }

  @Test
  void totalsBelowThoseOfTheCharges_areRefused() {
    Epsilon epsilon = TOTAL.epsilonSpent();
    Mu mu = TOTAL.spent().mu();
    assertThat(holding(epsilon, mu).mu()).contains(mu);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> holding(epsilon, justBelow(mu)))
        .withMessageStartingWith("mu must be at least the " + mu.value());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> holding(justBelow(epsilon), mu))
        .withMessageStartingWith("epsilon must be at least the " + epsilon.value());
  }

  @Test
  void aGuarantee_cannotHoldBeyondTheBudget() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(List.of(charge("final", 10))))
        .withMessageStartingWith("no guarantee holds for mu = 1.0");
    Mu cap = BUDGET.cap().mu();
    Mu beyond = Mu.of(Math.nextUp(cap.value()));
    assertThat(holding(BUDGET.epsilon(), cap).mu()).contains(cap);
    assertThatIllegalArgumentException().isThrownBy(() -> holding(BUDGET.epsilon(), beyond));
    assertThat(stating(Guarantee.VOID, "over", BUDGET.epsilon(), beyond).mu()).contains(beyond);
  }

  @Test
  void aBlankUnitScoringOrNoise_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> textual(" ", "public rows", "secure"))
        .withMessage("unit must not be blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> textual("one row", "", "secure"))
        .withMessage("scoring must not be blank");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> textual("one row", "public rows", ""))
        .withMessage("noise must not be blank");
  }

  private static PrivacyStatement textual(String unit, String scoring, String noise) {
    return PrivacyStatement.of(BUDGET, CHARGES, unit, scoring, noise, List.of(), List.of());
  }

  @Test
  void aStatement_doesNotChangeWithTheListsThatItWasMadeFrom() {
    List<Charge> charges = new ArrayList<>(CHARGES);
    PrivacyStatement statement = of(charges);
    charges.clear();
    assertThat(statement.charges()).isEqualTo(CHARGES);
  }

  @Test
  void itsKeys_areThoseOfTheStatementFile() {
    assertThat(PrivacyStatement.KIND).isEqualTo("fixed-plan");
    assertThat(Guarantee.HOLDS.key()).isEqualTo("holds");
    assertThat(Guarantee.VOID.key()).isEqualTo("void");
  }

  /** The search for epsilon is good to some ulps, so that it may end lower for more mu. */
  @Test
  void aPlanOfAnUlpMore_isStated_whateverTheRoundingOfEpsilon() {
    int lower = 0;
    for (int i = 1; i <= 2000; i++) {
      Budget budget = new Budget(Epsilon.of(i / 250.0), Delta.of(1e-6), BUDGET.adjacency());
      Mu planned = budget.cap().mu();
      List<Charge> charges = List.of(Studies.costing("final", justBelow(planned)));
      PrivacyStatement spent =
          PrivacyStatement.of(budget, charges, "one row", "none", "secure", List.of(), List.of());
      PrivacyStatement stated = spent.atLeast(planned);
      assertThat(stated.mu().orElseThrow()).isEqualTo(planned);
      assertThat(stated.epsilon().value()).isGreaterThanOrEqualTo(spent.epsilon().value());
      lower +=
          GaussianDp.of(planned).epsilon(budget.delta()).value() < spent.epsilon().value() ? 1 : 0;
    }
    assertThat(lower).as("that this happens").isPositive();
  }
}
