package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.ledger.Audit.Finding;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that a ledger or its totals can be tampered with, one thing at a time. */
class AuditTamperingTest {
  private static final Budget BUDGET =
      new Budget(Epsilon.of(3), Delta.of(1e-5), Adjacency.REPLACE_ONE);

  /** A study with a charge of every kind that has a μ. */
  private static final List<Charge> LEDGER =
      List.of(
          new Charge("trial 1", new Gaussian(NoiseMultiplier.of(90), 2, 100)),
          new Charge("trial 2", new SubsampledGaussian(NoiseMultiplier.of(60), 1, 2, 25)),
          new Charge("score 1", new PureDp(Epsilon.of(0.04), 2)),
          new Charge("score 2", new Laplace(40, 1, 3)),
          new Charge("bit", new RandomizedResponse(Epsilon.of(0.05), 1)),
          new Charge("choice", new ExponentialMechanism(Epsilon.of(0.06), 2)),
          new Charge("sampled", new SubsampledLaplace(10, 0.2, 1, 4)),
          new Charge("final", new Gaussian(NoiseMultiplier.of(40), 2, 60)));

  private static final Balance TOTAL = Balance.of(BUDGET, LEDGER);
  private static final Epsilon EPSILON = TOTAL.epsilonSpent();
  private static final Mu MU = TOTAL.spent().mu();

  private static Finding check(List<Charge> ledger) {
    return Audit.check(BUDGET, ledger, EPSILON, MU);
  }

  @Test
  void theLedgerItself_agrees() {
    assertThat(check(LEDGER).problems()).isEmpty();
    assertThat(check(LEDGER).mu()).isBetween(MU.value() * (1 - 1e-9), MU.value());
    assertThat(check(LEDGER).epsilon() / EPSILON.value()).isBetween(1 - 1e-7, 1 + 1e-7);
  }

  /** Each number of each charge made dearer or cheaper by a percent, or a count by one. */
  static Stream<Arguments> changes() {
    List<Arguments> changes = new ArrayList<>();
    for (int i = 0; i < LEDGER.size(); i++) {
      Mechanism mechanism = LEDGER.get(i).mechanism();
      for (String key : mechanism.parameters().keySet()) {
        changes.add(Arguments.of(i, key, true));
        changes.add(Arguments.of(i, key, false));
      }
    }
    return changes.stream();
  }

  private static List<Charge> changed(int index, String key, boolean more) {
    Charge charge = LEDGER.get(index);
    Map<String, Number> parameters = new LinkedHashMap<>(charge.mechanism().parameters());
    Number before = Objects.requireNonNull(parameters.get(key));
    parameters.put(
        key,
        before instanceof Long count
            ? (Number) Math.max(1, more ? count + 1 : count - 1)
            : (Number) (before.doubleValue() * (more ? 1.01 : 0.99)));
    List<Charge> ledger = new ArrayList<>(LEDGER);
    ledger.set(
        index, new Charge(charge.what(), Mechanism.of(charge.mechanism().name(), parameters)));
    return ledger;
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aNumberThatWasChanged_isSeenInTheTotals(int index, String key, boolean more) {
    List<Charge> ledger;
    try {
      ledger = changed(index, key, more);
    } catch (IllegalArgumentException e) {
      // A sampling rate of 1 cannot be raised.
      assertThat(key).isEqualTo("samplingRate");
      return;
    }
    if (ledger.equals(LEDGER)) {
      // A count of 1 cannot be lowered.
      assertThat(key).isEqualTo("count");
      return;
    }
    Finding finding = check(ledger);
    assertThat(finding.problems()).isNotEmpty();
    boolean known = finding.problems().stream().noneMatch(p -> p.contains("knows no mu"));
    if (known) {
      double truth = Balance.of(BUDGET, ledger).spent().mu().value();
      String side = truth > MU.value() ? "is below the " : "is well above the ";
      assertThat(finding.problems())
          .anyMatch(p -> p.startsWith("the stated mu " + MU.value()) && p.contains(side));
    }
  }

  @ParameterizedTest
  @MethodSource("indices")
  void aChargeLeftOut_isSeen(int index) {
    List<Charge> ledger = new ArrayList<>(LEDGER);
    ledger.remove(index);
    assertThat(check(ledger).problems())
        .anyMatch(p -> p.contains("is well above the ") && p.contains("stated mu"));
  }

  @ParameterizedTest
  @MethodSource("indices")
  void aChargeTwice_isSeen(int index) {
    List<Charge> ledger = new ArrayList<>(LEDGER);
    ledger.add(LEDGER.get(index));
    assertThat(check(ledger).problems())
        .anyMatch(p -> p.startsWith("the stated mu " + MU.value() + " is below the "))
        .anyMatch(p -> p.startsWith("the stated epsilon " + EPSILON.value() + " has a delta of "));
  }

  static Stream<Integer> indices() {
    return Stream.iterate(0, i -> i + 1).limit(LEDGER.size());
  }

  /** One release as another kind of the same cost is the same cost: the audit is of numbers. */
  @Test
  void otherNamesOfTheSameCost_agree() {
    List<Charge> ledger = new ArrayList<>(LEDGER);
    ledger.set(1, new Charge("renamed", new Gaussian(NoiseMultiplier.of(60), 2, 25)));
    ledger.set(4, new Charge("renamed too", new PureDp(Epsilon.of(0.05), 1)));
    assertThat(check(ledger).problems()).isEmpty();
  }

  @Test
  void theWrongDelta_isSeenInEpsilonAlone() {
    Budget other = new Budget(BUDGET.epsilon(), Delta.of(1e-6), BUDGET.adjacency());
    assertThat(Audit.check(other, LEDGER, EPSILON, MU).problems())
        .singleElement()
        .asString()
        .startsWith("the stated epsilon ")
        .contains("has a delta of 9.99")
        .contains("not 1.0");
    Budget larger = new Budget(BUDGET.epsilon(), Delta.of(1e-4), BUDGET.adjacency());
    assertThat(Audit.check(larger, LEDGER, EPSILON, MU).problems())
        .singleElement()
        .asString()
        .contains("is well above the ");
  }

  @Test
  void aSmallerBudget_isSeenWithBothItsNumbers() {
    Budget small =
        new Budget(Epsilon.of(EPSILON.value() * 0.999), BUDGET.delta(), BUDGET.adjacency());
    assertThat(Audit.check(small, LEDGER, EPSILON, MU).problems())
        .hasSize(2)
        .anyMatch(p -> p.startsWith("the charges have mu ") && p.contains("of the budget"))
        .anyMatch(p -> p.endsWith("is above the budget's " + small.epsilon().value()));
  }

  /** By how much ε may be misstated without being seen: a millionth, and no more. */
  @Property(tries = 100)
  void misstatedEpsilons_areSeenFromAMillionthOn(
      @ForAll @DoubleRange(min = -8, max = 0) double log, @ForAll boolean up) {
    double by = Math.pow(10, log);
    double stated = EPSILON.value() * (up ? 1 + by : 1 - by);
    boolean agrees = Audit.check(BUDGET, LEDGER, Epsilon.of(stated), MU).problems().isEmpty();
    if (by > 2e-6) {
      assertThat(agrees).isFalse();
    }
    if (by < 2e-8) {
      // ln δ changes by some ten times as much, which stays below the audit's 1e-6.
      assertThat(agrees).isTrue();
    }
  }

  /**
   * Where all charges are Gaussian μ is exact but for roundings: each is rounded up by an ulp,
   * which may be two of the total's, and so is the total. Four below is let pass never.
   */
  @Property(tries = 200)
  void misstatedMus_areSeenFromAFewUlpsOn(
      @ForAll @IntRange(min = 1, max = 1000) int sigma,
      @ForAll @IntRange(min = 1, max = 1000) int count,
      @ForAll @IntRange(min = 4, max = 50) int ulps) {
    List<Charge> ledger =
        List.of(
            new Charge("trial 1", new Gaussian(NoiseMultiplier.of(sigma), 1, count)),
            new Charge("final", new Gaussian(NoiseMultiplier.of(sigma / 3.0), 0.7, 1)));
    Budget large = new Budget(Epsilon.of(1e6), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    Balance total = Balance.of(large, ledger);
    double mu = total.spent().mu().value();
    Epsilon epsilon = total.epsilonSpent();
    assertThat(Audit.check(large, ledger, epsilon, Mu.of(mu)).problems()).isEmpty();
    double below = mu - ulps * Math.ulp(mu);
    assertThat(Audit.check(large, ledger, epsilon, Mu.of(below)).problems())
        .anyMatch(p -> p.startsWith("the stated mu " + below + " is below the "));
  }

  /** The other audit, which holds a total of any kind: the same changes, by the guarantee. */
  @ParameterizedTest
  @MethodSource("indices")
  void theMixturesAudit_seesAChargeLeftOutOrTwice(int index) {
    Epsilon stated = PlanTotal.of(BUDGET, LEDGER).epsilon();
    assertThat(MixtureAudit.check(BUDGET, LEDGER, stated, CombinedGuarantee.GUARANTEE).problems())
        .isEmpty();
    List<Charge> twice = new ArrayList<>(LEDGER);
    twice.add(LEDGER.get(index));
    assertThat(MixtureAudit.check(BUDGET, twice, stated, CombinedGuarantee.GUARANTEE).problems())
        .anyMatch(p -> p.contains(" is below the ") && p.endsWith("by guarantee"));
    List<Charge> without = new ArrayList<>(LEDGER);
    without.remove(index);
    assertThat(MixtureAudit.check(BUDGET, without, stated, CombinedGuarantee.GUARANTEE).problems())
        .anyMatch(p -> p.contains(" is well above the ") && p.endsWith("by guarantee"));
  }

  /** Whoever is named as the accountant has to give the figure again. */
  @Test
  void theWrongAccountant_isSeen() {
    List<Charge> pure = List.of(new Charge("final", new PureDp(Epsilon.of(1), 1)));
    PrivacyStatement statement =
        PrivacyStatement.of(BUDGET, pure, "one row", "public rows", "secure", List.of(), List.of());
    for (Accountant accountant : Accountant.values()) {
      List<String> problems =
          MixtureAudit.check(BUDGET, pure, statement.epsilon(), accountant).problems();
      assertThat(problems.isEmpty())
          .as(accountant.key() + problems)
          .isEqualTo(accountant == statement.accountant() || isAlike(accountant));
    }
  }

  /** Basic composition has 1; the others that reach it gain less than the audit's 1e-4. */
  private static boolean isAlike(Accountant accountant) {
    return accountant == Accountant.PLD
        || accountant == Accountant.BASIC
        || accountant == Accountant.RDP;
  }
}
