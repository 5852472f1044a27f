package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.BUDGET;
import static io.mutune.accountant.ledger.Studies.charge;
import static io.mutune.accountant.ledger.Studies.costing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Audit.Finding;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
  private static final List<Charge> CHARGES =
      List.of(charge("trial 1", 100), charge("trial 2", 50), charge("final", 80));
  private static final Balance TOTAL = Balance.of(BUDGET, CHARGES);
  private static final double MU = TOTAL.spent().mu().value();
  private static final double EPSILON = TOTAL.epsilonSpent().value();

  private static Finding check(double epsilon, double mu) {
    return Audit.check(BUDGET, CHARGES, Epsilon.of(epsilon), Mu.of(mu));
  }

  @Test
  void trueTotals_agreeAndAreRecomputed() {
    Finding finding = check(EPSILON, MU);
    assertThat(finding.problems()).isEmpty();
    // √(0.1² + 0.2² + 0.125²)
    assertThat(finding.mu()).isCloseTo(0.256173769148990, within(1e-14));
    assertThat(finding.epsilon()).isCloseTo(EPSILON, within(1e-8));
  }

  @Test
  void aMuOneBitTooSmall_isFound() {
    double tampered = Math.nextDown(Math.nextDown(MU));
    assertThat(check(EPSILON, tampered).problems())
        .singleElement()
        .asString()
        .startsWith("the stated mu " + tampered + " is below the ");
  }

  @Test
  void aMuMuchTooLarge_isFoundAndALittleIsLetPass() {
    double tampered = MU * (1 + 2e-6);
    assertThat(check(EPSILON, tampered).problems())
        .singleElement()
        .asString()
        .startsWith("the stated mu " + tampered + " is well above the ");
    assertThat(check(EPSILON, MU * (1 + 0.5e-6)).problems()).isEmpty();
  }

  @Test
  void anEpsilonOfTheWholeBudget_isNotAboveIt() {
    double whole = BUDGET.epsilon().value();
    assertThat(check(whole, MU).problems()).noneMatch(p -> p.contains("above the budget's"));
    assertThat(check(Math.nextUp(whole), MU).problems())
        .anyMatch(p -> p.contains("above the budget's " + whole));
  }

  @Test
  void anEpsilonTooSmall_isFoundWithItsTrueDelta() {
    double tampered = EPSILON * (1 - 1e-5);
    assertThat(check(tampered, MU).problems())
        .singleElement()
        .asString()
        .startsWith("the stated epsilon " + tampered + " has a delta of 1.0001")
        .contains("the charges have epsilon 0.9");
  }

  @Test
  void anEpsilonMuchTooLarge_isFoundAndALittleIsLetPass() {
    double tampered = EPSILON * (1 + 2e-6);
    assertThat(check(tampered, MU).problems())
        .singleElement()
        .asString()
        .startsWith("the stated epsilon " + tampered + " is well above the 0.9");
    assertThat(check(EPSILON * (1 + 0.5e-6), MU).problems()).isEmpty();
  }

  @Test
  void aChargeLeftOutOfTheTotals_isFoundInBoth() {
    Balance withoutFinal = Balance.of(BUDGET, CHARGES.subList(0, 2));
    Finding finding = check(withoutFinal.epsilonSpent().value(), withoutFinal.spent().mu().value());
    assertThat(finding.problems()).isNotEmpty();
    assertThat(finding.problems()).hasSize(2);
  }

  @Test
  void chargesBeyondTheBudget_areFoundThoughTheirTotalsAreTrue() {
    List<Charge> charges = List.of(costing("final", Mu.of(0.2681)));
    Balance total = Balance.of(BUDGET, charges);
    Finding finding = Audit.check(BUDGET, charges, total.epsilonSpent(), total.spent().mu());
    assertThat(finding.problems())
        .hasSize(2)
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .startsWith("the charges have mu 0.268")
                    .endsWith("of the budget (epsilon 1.0, delta 1.0E-5)"))
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .startsWith("the stated epsilon 1.0002")
                    .endsWith("is above the budget's 1.0"));
  }

  /** Their sums have more digits than the audit keeps, some of which it rounds up. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.03, 0.05, 0.07, 0.1, 0.11, 0.13, 0.15, 0.17, 0.19, 0.2, 0.23})
  void aMuThatIsADouble_mayBeStatedExactly(double mu) {
    Charge charge = new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), mu, 1));
    Balance total = Balance.of(BUDGET, List.of(charge));
    assertThat(total.spent().mu()).isEqualTo(Mu.of(mu));
    assertThat(Audit.check(BUDGET, List.of(charge), total.epsilonSpent(), Mu.of(mu)).problems())
        .isEmpty();
  }

  @Test
  void aSampleOfEveryRow_isRecomputedAsTheGaussianThatItIs() {
    List<Charge> charges =
        List.of(new Charge("final", new SubsampledGaussian(NoiseMultiplier.of(80), 1.0, 1.0, 100)));
    Balance total = Balance.of(BUDGET, charges);
    Finding finding = Audit.check(BUDGET, charges, total.epsilonSpent(), total.spent().mu());
    assertThat(finding.problems()).isEmpty();
    assertThat(finding.mu()).isCloseTo(0.125, within(1e-15));
  }

  @Test
  void mechanismsThatHaveNoMu_areNamedAndNeverPassed() {
    List<Charge> charges =
        List.of(
            new Charge("count", new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-9), 1)),
            new Charge("mean", new Laplace(1.0, 701.0, 1)),
            new Charge("final", new SubsampledGaussian(NoiseMultiplier.of(80), 0.5, 1.0, 100)));
    assertThat(Audit.check(BUDGET, charges, Epsilon.of(0), Mu.ZERO).problems())
        .containsExactly(
            "'count' has the mechanism approximate-dp, for which this audit knows no mu",
            "'mean' has the mechanism laplace, for which this audit knows no mu",
            "'final' has the mechanism subsampled-gaussian, for which this audit knows no mu");
  }

  /** From where tanh is its argument to where e^ε nearly overflows. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 1e-4, 0.01, 0.5, 0.999, 1, 2, 10, 40, 300, 700})
  void pureReleases_areRecomputedFromTheErrorsOfTheirTest(double epsilon) {
    Budget large = new Budget(Epsilon.of(1e6), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    for (PureMechanism pure :
        List.of(
            new PureDp(Epsilon.of(epsilon), 3),
            new ExponentialMechanism(Epsilon.of(epsilon), 7),
            new RandomizedResponse(Epsilon.of(epsilon), 1))) {
      List<Charge> charges = List.of(new Charge("choice", pure));
      Balance total = Balance.of(large, charges);
      Epsilon stated = total.epsilonSpent();
      Mu mu = total.spent().mu();
      assertThat(Audit.check(large, charges, stated, mu).problems()).isEmpty();
      assertThat(Audit.check(large, charges, stated, Mu.of(mu.value() * (1 - 1e-11))).problems())
          .anyMatch(problem -> problem.startsWith("the stated mu "));
    }
  }

  @Test
  void noCharges_costNothing() {
    Finding finding = Audit.check(BUDGET, List.of(), Epsilon.of(0), Mu.ZERO);
    assertThat(finding).isEqualTo(new Finding(List.of(), 0, 0));
  }

  @Test
  void chargesThatDeltaCovers_haveEpsilonZero() {
    List<Charge> charges = List.of(costing("trial 1", Mu.of(2e-5)));
    Balance total = Balance.of(BUDGET, charges);
    assertThat(Audit.check(BUDGET, charges, total.epsilonSpent(), total.spent().mu()).problems())
        .isEmpty();
    assertThat(Audit.check(BUDGET, charges, Epsilon.of(1e-6), total.spent().mu()).problems())
        .singleElement()
        .asString()
        .endsWith("is well above the 0.0 of the charges");
  }

  @Property(tries = 200)
  void twoRoutes_agreeOnAnyBudgetThatIsSpentWhole(
      @ForAll @DoubleRange(min = -4, max = 3) double logEpsilon,
      @ForAll @DoubleRange(min = -100, max = -0.5) double logDelta) {
    Budget budget =
        new Budget(
            Epsilon.of(Math.pow(10, logEpsilon)),
            Delta.of(Math.pow(10, logDelta)),
            Adjacency.ADD_REMOVE);
    List<Charge> charges = List.of(costing("final", budget.cap().mu()));
    Balance total = Balance.of(budget, charges);
    assertThat(Audit.check(budget, charges, total.epsilonSpent(), total.spent().mu()).problems())
        .isEmpty();
  }
}
