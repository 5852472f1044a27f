package io.mutune.accountant.renyi;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.testing.Mechanisms;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/** The Rényi filter as a state machine, against sums in decimals. */
class RenyiFilterMachineTest {
  private static final double ORDER = 9;

  private static final class Ledger {
    final double epsilon;
    final RenyiFilter filter;
    final List<RenyiDp> charges = new ArrayList<>();
    BigDecimal sum = BigDecimal.ZERO;

    Ledger(double epsilon) {
      this.epsilon = epsilon;
      this.filter = RenyiFilter.of(Epsilon.of(epsilon), Delta.of(1e-5), ORDER);
    }

    void ask(RenyiDp asked) {
      BigDecimal divergence = new BigDecimal(asked.curve().at(ORDER));
      BigDecimal cap = new BigDecimal(filter.cap());
      if (filter.admits(charges, asked)) {
        charges.add(asked);
        sum = sum.add(divergence);
        assertThat(sum).isLessThanOrEqualTo(cap);
      } else {
        // Only what the roundings of a sum may have added is refused without need.
        assertThat(sum.add(divergence).multiply(BigDecimal.valueOf(1 + 1e-12))).isGreaterThan(cap);
      }
    }

    void holds() {
      BigDecimal spent = new BigDecimal(filter.spent(charges));
      assertThat(spent)
          .isGreaterThanOrEqualTo(sum)
          .isLessThanOrEqualTo(sum.multiply(BigDecimal.valueOf(1 + 1e-12)));
      // What was admitted keeps the budget at that order, and so at the best one.
      assertThat(RenyiDp.compose(charges).epsilonOrInfinity(Delta.of(1e-5)))
          .isLessThanOrEqualTo(epsilon * (1 + 1e-9));
    }
  }

  private static Arbitrary<RenyiDp> charges() {
    Arbitrary<Integer> kinds = Arbitraries.integers().between(0, Mechanisms.counted().size() - 3);
    Arbitrary<Long> counts = Arbitraries.longs().between(1, 60);
    return Combinators.combine(kinds, counts)
        .as((k, n) -> RenyiDp.of(Mechanisms.counted().get(k).apply(n), Adjacency.ADD_REMOVE));
  }

  private static final class Ask implements Action.Independent<Ledger> {
    @Override
    public Arbitrary<Transformer<Ledger>> transformer() {
      return charges().map(charge -> Transformer.mutate("ask", ledger -> ledger.ask(charge)));
    }
  }

  @Provide
  Arbitrary<ActionChain<Ledger>> ledgers() {
    return Arbitraries.doubles()
        .between(1.3, 6)
        .flatMap(
            epsilon ->
                ActionChain.startWith(() -> new Ledger(epsilon))
                    .withAction(new Ask())
                    .withMaxTransformations(20));
  }

  @Property(tries = 60)
  void theCap_isNeverPassedAndTheBudgetIsKept(@ForAll("ledgers") ActionChain<Ledger> ledger) {
    ledger.withInvariant("the decimals agree", Ledger::holds).run();
  }

  @Provide
  Arbitrary<List<RenyiDp>> lists() {
    return charges().list().ofMinSize(2).ofMaxSize(8);
  }

  @Property(tries = 60)
  void theOrderOfCharges_movesTheSumByRoundingsOnly(
      @ForAll("lists") List<RenyiDp> charges, @ForAll Random random) {
    RenyiFilter filter = RenyiFilter.of(Epsilon.of(3), Delta.of(1e-5), ORDER);
    List<RenyiDp> shuffled = new ArrayList<>(charges);
    Collections.shuffle(shuffled, random);
    double one = filter.spent(charges);
    double other = filter.spent(shuffled);
    assertThat(other / one).isBetween(1 - 1e-13, 1 + 1e-13);
  }

  /** The cap at an order is where a curve of that one divergence has the budget's ε. */
  @Property(tries = 200)
  void theCap_isTheLargestDivergenceThatKeepsTheBudget(
      @ForAll @DoubleRange(min = 0.5, max = 30) double epsilon,
      @ForAll @DoubleRange(min = -12, max = -2) double logDelta,
      @ForAll @DoubleRange(min = 1.1, max = 4) double over) {
    Delta delta = Delta.of(Math.pow(10, logDelta));
    double order = 1 + over * -Math.log(delta.value()) / epsilon;
    RenyiFilter filter = RenyiFilter.of(Epsilon.of(epsilon), delta, order);
    double free = Math.log1p(-1 / order) - Math.log(delta.value() * order) / (order - 1);
    assertThat(filter.cap())
        .isBetween((epsilon - free) * (1 - 1e-11), (epsilon - free) * (1 + 1e-13));
    assertThat(filter.order()).isEqualTo(order);
    RenyiDp whole = RenyiDp.of(a -> a == order ? filter.cap() : 2 * filter.cap());
    assertThat(filter.admits(List.of(), RenyiDp.NONE)).isTrue();
    double little = Rounding.down(filter.cap()) * (1 - 1e-12);
    assertThat(filter.admits(List.of(), RenyiDp.of(a -> little))).isTrue();
    assertThat(filter.admits(List.of(RenyiDp.of(a -> little)), whole)).isFalse();
    assertThat(filter.admits(List.of(), RenyiDp.of(a -> Math.nextUp(filter.cap())))).isFalse();
    assertThat(filter.admits(List.of(), RenyiDp.of(a -> Double.POSITIVE_INFINITY))).isFalse();
  }
}
