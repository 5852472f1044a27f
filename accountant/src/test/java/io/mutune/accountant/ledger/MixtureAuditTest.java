package io.mutune.accountant.ledger;

import static io.mutune.accountant.ledger.Studies.charge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountingMethod;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.ledger.MixtureAudit.Finding;
import io.mutune.accountant.ledger.MixtureAudit.Route;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixtureAuditTest {
  private static final Budget BUDGET =
      new Budget(Epsilon.of(4), Delta.of(1e-5), Adjacency.ADD_REMOVE);

  private static final List<Charge> CHARGES =
      List.of(
          charge("trial 1", 100),
          new Charge("score", new PureDp(Epsilon.of(0.05), 4)),
          new Charge("final", new SubsampledGaussian(NoiseMultiplier.of(1.2), 0.01, 1, 1000)));

  private static double stated(AccountingMethod method, List<Charge> charges) {
    Releases releases =
        new Releases(charges.stream().map(Charge::mechanism).toList(), BUDGET.adjacency());
    return method.answer(releases, new EpsilonAt(BUDGET.delta())) instanceof Bound bound
        ? bound.upper()
        : Double.NaN;
  }

  private static Finding check(double stated, AccountingMethod method) {
    return MixtureAudit.check(BUDGET, CHARGES, Epsilon.of(stated), method);
  }

  @Test
  void aTrueGuarantee_agreesAndSaysByWhichRoutes() {
    double stated = stated(CombinedGuarantee.GUARANTEE, CHARGES);
    Finding finding = check(stated, CombinedGuarantee.GUARANTEE);
    assertThat(finding.problems()).isEmpty();
    assertThat(finding.routes())
        .extracting(Route::name)
        .containsExactly("gaussian charges by integration", "pld", "rdp", "advanced", "basic");
    assertThat(finding.lower()).isPositive().isLessThanOrEqualTo(stated);
    assertThat(finding.routes().stream().mapToDouble(Route::upper).min().orElseThrow())
        .isCloseTo(stated, withinPercentage(1e-6));
  }

  @ParameterizedTest
  @EnumSource(
      value = Accountant.class,
      names = {"PLD", "RDP"})
  void whatAnAccountantStates_isFoundAgainAndTamperingIsSeen(Accountant accountant) {
    double stated = stated(accountant, CHARGES);
    assertThat(check(stated, accountant).problems()).isEmpty();
    assertThat(check(stated * (1 - 1e-3), accountant).problems())
        .anyMatch(p -> p.endsWith("of the charges by " + accountant.key()) && p.contains("below"));
    assertThat(check(stated * (1 + 1e-3), accountant).problems())
        .singleElement()
        .asString()
        .contains("is well above the ");
  }

  @Test
  void anEpsilonBelowAnotherRoutesLowerEnd_isAccusedByThatRoute() {
    List<String> problems = check(0.3, Accountant.RDP).problems();
    assertThat(problems)
        .anyMatch(p -> p.contains("that gaussian charges by integration has") || p.contains("pld"))
        .anyMatch(p -> p.endsWith("that pld has at least"));
  }

  @Test
  void aChargeLeftOut_isFound() {
    double without = stated(CombinedGuarantee.GUARANTEE, CHARGES.subList(0, 2));
    assertThat(check(without, CombinedGuarantee.GUARANTEE).problems()).isNotEmpty();
  }

  @Test
  void anAccountantThatCannotKnow_isNoRoute() {
    assertThat(check(1, Accountant.ZCDP).problems())
        .anyMatch(
            p ->
                p.equals(
                    "the stated epsilon is by zcdp, which does not apply:"
                        + " zCDP is not amplified by sampling"));
  }

  @Test
  void chargesBeyondTheBudget_areFound() {
    List<Charge> charges =
        List.of(new Charge("final", new SubsampledGaussian(NoiseMultiplier.of(0.5), 0.1, 1, 1000)));
    double stated = stated(CombinedGuarantee.GUARANTEE, charges);
    assertThat(
            MixtureAudit.check(BUDGET, charges, Epsilon.of(stated), CombinedGuarantee.GUARANTEE)
                .problems())
        .singleElement()
        .asString()
        .endsWith("is above the budget's 4.0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {20, 100, 3000})
  void gaussiansAlone_areHeldAgainstTheIntegration(double sigma) {
    List<Charge> charges =
        List.of(
            charge("trial 1", sigma),
            new Charge("trial 2", new SubsampledGaussian(NoiseMultiplier.of(sigma), 1, 1, 9)));
    double stated = stated(CombinedGuarantee.GUARANTEE, charges);
    Finding finding =
        MixtureAudit.check(BUDGET, charges, Epsilon.of(stated), CombinedGuarantee.GUARANTEE);
    assertThat(finding.problems()).isEmpty();
    Route integration = finding.routes().get(0);
    // The integration's own accuracy.
    assertThat(integration.lower()).isCloseTo(stated, withinPercentage(1e-5));
    assertThat(integration.upper()).isEqualTo(integration.lower());
  }

  static Stream<Mechanism> selections() {
    return Stream.of(new Gaussian(NoiseMultiplier.of(20), 1, 1), sampled(3))
        .flatMap(
            run ->
                Stream.of(
                        new PoissonTrials(5),
                        new TruncatedNegativeBinomial(0, 0.05),
                        new TruncatedNegativeBinomial(1, 0.1),
                        new TruncatedNegativeBinomial(2.5, 0.2))
                    .map(law -> new RepeatAndSelect(run, law)));
  }

  private static Mechanism sampled(double sigma) {
    return new SubsampledGaussian(NoiseMultiplier.of(sigma), 0.1, 1, 1);
  }

  /** Its least ε is that of one bad order, by closed forms and no curve. */
  @ParameterizedTest
  @MethodSource("selections")
  void aSelection_isHeldAgainstABadOrderOfItsOutputs(Mechanism selection) {
    List<Charge> charges = List.of(new Charge("search", selection));
    double stated = stated(Accountant.PLD, charges);
    Finding finding = MixtureAudit.check(BUDGET, charges, Epsilon.of(stated), Accountant.PLD);
    assertThat(finding.problems()).isEmpty();
    assertThat(finding.routes())
        .extracting(Route::name)
        .containsExactly(MixtureAudit.SELECTION, "pld", "rdp");
    // The bound is for all orders, and this is nearly the worst of them.
    assertThat(finding.lower()).isBetween(0.9 * stated, stated);
    Finding low = MixtureAudit.check(BUDGET, charges, Epsilon.of(0.9 * stated), Accountant.PLD);
    assertThat(low.problems())
        .anySatisfy(
            p -> assertThat(p).endsWith("that " + MixtureAudit.SELECTION + " has at least"));
  }

  @Test
  void aDeltaBelowTheFailure_makesEveryFiniteEpsilonFalse() {
    List<Charge> charges =
        List.of(new Charge("leak", new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-3), 1)));
    assertThat(
            MixtureAudit.check(BUDGET, charges, Epsilon.of(3), CombinedGuarantee.GUARANTEE)
                .problems())
        .contains("the stated epsilon 3.0 is below the Infinity that pld has at least");
  }

  /** As a study of 250 trials charges them: a run, a sample's run, a score and a choice each. */
  @Test
  void aThousandMixedCharges_areAudited() {
    List<Charge> charges = new ArrayList<>();
    for (int trial = 1; trial <= 250; trial++) {
      charges.add(charge("trial " + trial, 4000));
      charges.add(
          new Charge(
              "sampled " + trial, new SubsampledGaussian(NoiseMultiplier.of(10), 0.01, 1, 10)));
      charges.add(new Charge("score " + trial, new PureDp(Epsilon.of(0.001), 1)));
      charges.add(new Charge("mean " + trial, new Laplace(1000, 1, 1)));
    }
    double stated = stated(CombinedGuarantee.GUARANTEE, charges);
    assertThat(
            MixtureAudit.check(BUDGET, charges, Epsilon.of(stated), CombinedGuarantee.GUARANTEE)
                .problems())
        .isEmpty();
    double half = stated(CombinedGuarantee.GUARANTEE, charges.subList(0, 500));
    assertThat(
            MixtureAudit.check(BUDGET, charges, Epsilon.of(half), CombinedGuarantee.GUARANTEE)
                .problems())
        .isNotEmpty();
  }

  @Test
  void noCharges_costNothing() {
    Finding finding =
        MixtureAudit.check(BUDGET, List.of(), Epsilon.of(0), CombinedGuarantee.GUARANTEE);
    assertThat(finding.problems()).isEmpty();
    assertThat(finding.routes()).extracting(Route::upper).contains(0.0);
  }

  @Test
  void noRouteAtAll_knowsNothing() {
    Finding finding = new Finding(List.of(), List.of());
    assertThat(finding.lower()).isZero();
  }
}
