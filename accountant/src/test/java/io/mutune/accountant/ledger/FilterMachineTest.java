package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/**
 * The budget filter as a state machine: random charges, single and in bundles, against exact
 * decimal arithmetic of this test's own. Nothing here is left to chance but the inputs.
 */
class FilterMachineTest {
  private static final MathContext DIGITS = new MathContext(60);

  /** A ledger with its filter and, apart from both, Σμ² in decimals from the parameters alone. */
  private static final class Ledger {
    final Budget budget;
    final BudgetFilter filter;
    final List<Charge> charges = new ArrayList<>();
    BigDecimal square = BigDecimal.ZERO;
    int refusals;

    Ledger(double epsilon) {
      this.budget = new Budget(Epsilon.of(epsilon), Delta.of(1e-6), Adjacency.ADD_REMOVE);
      this.filter = new BudgetFilter(budget);
    }

    BigDecimal cap() {
      return new BigDecimal(budget.cap().mu().value()).pow(2);
    }

    /** Asks for all or nothing, and holds the answer against the decimals. */
    void ask(List<Charge> asked) {
      BigDecimal after = square;
      for (Charge charge : asked) {
        after = after.add(squaredMu((Gaussian) charge.mechanism()));
      }
      List<Charge> before = List.copyOf(charges);
      boolean admitted = true;
      try {
        Balance balance = filter.admit(charges, asked);
        charges.addAll(asked);
        square = after;
        assertThat(balance).isEqualTo(Balance.of(budget, charges));
      } catch (BudgetExceededException e) {
        admitted = false;
        refusals++;
        assertThat(e.spent()).isEqualTo(Balance.of(budget, charges).spent());
        assertThat(e.getMessage()).startsWith("over budget: asked for epsilon ");
      }
      if (admitted) {
        // Never passed, however many charges have been rounded.
        assertThat(after).isLessThanOrEqualTo(cap());
      } else {
        assertThat(charges).isEqualTo(before);
        // Each μ and their sum are rounded up by an ulp: only what is that near may be refused.
        BigDecimal roundedUp = after.multiply(BigDecimal.valueOf(1 + 1e-15));
        assertThat(roundedUp).isGreaterThan(cap());
      }
    }

    void holds() {
      double spent = Balance.of(budget, charges).spent().mu().value();
      BigDecimal stated = new BigDecimal(spent).pow(2);
      assertThat(stated).isGreaterThanOrEqualTo(square);
      assertThat(stated).isLessThanOrEqualTo(square.multiply(BigDecimal.valueOf(1 + 1e-14)));
      double left = Balance.of(budget, charges).left().mu().value();
      assertThat(new BigDecimal(left).pow(2).add(square)).isLessThanOrEqualTo(cap());
      assertThat(Balance.of(budget, charges).epsilonSpent().value())
          .isLessThanOrEqualTo(budget.epsilon().value());
    }
  }

  private static BigDecimal squaredMu(Gaussian gaussian) {
    return new BigDecimal(gaussian.sensitivity())
        .divide(new BigDecimal(gaussian.sigma().value()), DIGITS)
        .pow(2)
        .multiply(BigDecimal.valueOf(gaussian.count()));
  }

  private static Arbitrary<Charge> charges() {
    Arbitrary<Double> sigmas = Arbitraries.doubles().between(0.8, 3).map(x -> Math.pow(10, x));
    Arbitrary<Double> sensitivities = Arbitraries.doubles().between(0.3, 3).ofScale(6);
    Arbitrary<Long> counts = Arbitraries.longs().between(1, 20);
    return Combinators.combine(sigmas, sensitivities, counts)
        .as((s, c, n) -> new Charge("trial", new Gaussian(NoiseMultiplier.of(s), c, n)));
  }

  private static final class AskOne implements Action.Independent<Ledger> {
    @Override
    public Arbitrary<Transformer<Ledger>> transformer() {
      return charges()
          .map(
              charge ->
                  Transformer.mutate("ask for " + charge, ledger -> ledger.ask(List.of(charge))));
    }
  }

  private static final class AskTogether implements Action.Independent<Ledger> {
    @Override
    public Arbitrary<Transformer<Ledger>> transformer() {
      return charges()
          .list()
          .ofMinSize(2)
          .ofMaxSize(4)
          .map(all -> Transformer.mutate("ask for " + all, ledger -> ledger.ask(all)));
    }
  }

  /** What is left, as a run that uses all of it: always fits, and nothing above a hair after. */
  private static final class AskForTheRest implements Action.Independent<Ledger> {
    @Override
    public Arbitrary<Transformer<Ledger>> transformer() {
      return Arbitraries.just(
          Transformer.mutate(
              "ask for the rest",
              ledger -> {
                GaussianDp left = Balance.of(ledger.budget, ledger.charges).left();
                if (left.mu().value() == 0) {
                  return;
                }
                int before = ledger.refusals;
                ledger.ask(List.of(Studies.costing("final", left.mu())));
                assertThat(ledger.refusals).isEqualTo(before);
                Charge tiny = new Charge("more", new Gaussian(NoiseMultiplier.of(1e4), 1, 1));
                ledger.ask(List.of(tiny));
                assertThat(ledger.refusals).isEqualTo(before + 1);
              }));
    }
  }

  @Provide
  Arbitrary<ActionChain<Ledger>> studies() {
    return Arbitraries.doubles()
        .between(0.1, 8)
        .flatMap(
            epsilon ->
                ActionChain.startWith(() -> new Ledger(epsilon))
                    .withAction(6, new AskOne())
                    .withAction(2, new AskTogether())
                    .withAction(1, new AskForTheRest())
                    .withMaxTransformations(25));
  }

  @Property(tries = 150)
  void theBudget_isNeverPassedAndNeverRefusedWithoutNeed(
      @ForAll("studies") ActionChain<Ledger> study) {
    study.withInvariant("the decimals agree", Ledger::holds).run();
  }

  @Provide
  Arbitrary<List<Charge>> ledgers() {
    return charges().list().ofMinSize(2).ofMaxSize(12);
  }

  /** √Σμ² does not know an order: neither does its rounding, which is exact in decimals. */
  @Property(tries = 200)
  void theOrderOfCharges_changesNoBitOfWhatIsSpent(
      @ForAll("ledgers") List<Charge> charges, @ForAll Random random) {
    Budget budget = new Budget(Epsilon.of(5), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    List<Charge> shuffled = new ArrayList<>(charges);
    Collections.shuffle(shuffled, random);
    assertThat(Balance.of(budget, shuffled)).isEqualTo(Balance.of(budget, charges));
  }

  /** Spending a ledger at once or in two parts is the same question. */
  @Property(tries = 200)
  void askingInParts_isAskingAtOnce(
      @ForAll("ledgers") List<Charge> charges, @ForAll Random random) {
    Budget budget = new Budget(Epsilon.of(0.8), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    BudgetFilter filter = new BudgetFilter(budget);
    int cut = random.nextInt(charges.size());
    List<Charge> first = charges.subList(0, cut);
    List<Charge> rest = charges.subList(cut, charges.size());
    assertThat(isAdmitted(filter, first, rest)).isEqualTo(isAdmitted(filter, List.of(), charges));
  }

  private static boolean isAdmitted(BudgetFilter filter, List<Charge> spent, List<Charge> asked) {
    try {
      filter.admit(spent, asked);
      return true;
    } catch (BudgetExceededException e) {
      return false;
    }
  }

  /** A plan of random mechanisms, of which each charge is let through once and in any order. */
  @Property(tries = 60)
  void aPlan_letsEachOfItsChargesThroughOnceInAnyOrder(@ForAll Random random) {
    Budget budget = new Budget(Epsilon.of(60), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    List<Charge> plan = new ArrayList<>();
    int size = 1 + random.nextInt(8);
    for (int i = 0; i < size; i++) {
      // Equal mechanisms, and sometimes equal names too: both copies may be asked.
      String what = "trial " + random.nextInt(4);
      plan.add(
          new Charge(
              what,
              switch (random.nextInt(3)) {
                case 0 -> new PureDp(Epsilon.of(0.1), 1 + random.nextInt(2));
                case 1 -> new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-8), 1);
                default -> new Gaussian(NoiseMultiplier.of(9), 1, 1);
              }));
    }
    PlanFilter filter = new PlanFilter(budget, plan);
    List<Charge> asked = new ArrayList<>(plan);
    Collections.shuffle(asked, random);
    List<Charge> spent = new ArrayList<>();
    Set<Charge> used = new HashSet<>();
    for (Charge charge : asked) {
      filter.check(spent, charge);
      spent.add(charge);
      used.add(charge);
    }
    for (Charge charge : used) {
      assertThatExceptionOfType(PlanExceededException.class)
          .isThrownBy(() -> filter.check(spent, charge))
          .withMessageContaining("'%s' as ".formatted(charge.what()))
          .withMessageEndingWith("is not in the plan, or was charged before");
    }
  }

  @Property(tries = 60)
  void aChargeThatDiffersInAnything_isNotInThePlan(
      @ForAll("ledgers") List<Charge> plan, @ForAll Random random) {
    Budget budget = new Budget(Epsilon.of(500), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    PlanFilter filter = new PlanFilter(budget, plan);
    Gaussian one = (Gaussian) plan.get(random.nextInt(plan.size())).mechanism();
    List<Charge> strangers =
        List.of(
            new Charge("trial", new Gaussian(one.sigma(), one.sensitivity(), one.count() + 1)),
            new Charge("trial", new Gaussian(one.sigma(), one.sensitivity() / 2, one.count())),
            // Cheaper, and yet another question.
            new Charge(
                "trial",
                new Gaussian(
                    NoiseMultiplier.of(Math.nextUp(one.sigma().value())),
                    one.sensitivity(),
                    one.count())),
            new Charge("trial 2", one),
            new Charge(
                "trial", new SubsampledGaussian(one.sigma(), 1, one.sensitivity(), one.count())));
    for (Charge stranger : strangers) {
      if (!plan.contains(stranger)) {
        assertThatExceptionOfType(PlanExceededException.class)
            .isThrownBy(() -> filter.check(List.of(), stranger));
      }
    }
  }

  /** A ledger that already has what the plan does not: nothing more may be charged. */
  @Property(tries = 30)
  void aLedgerOfAnotherPlan_isRefusedWhateverIsAsked(@ForAll("ledgers") List<Charge> plan) {
    Budget budget = new Budget(Epsilon.of(500), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    PlanFilter filter = new PlanFilter(budget, plan);
    Charge stranger = new Charge("stranger", new PureDp(Epsilon.of(0.1), 1));
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> filter.check(List.of(stranger), plan.get(0)))
        .withMessageContaining("'stranger'");
  }
}
