package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SearchTest {
  private static final double LEAST = 0x1p-30;
  private static final double MOST = 0x1p60;

  /** A predicate that does not tell how far the edge is. */
  static DoubleUnaryOperator sides(DoublePredicate keeps) {
    return x -> keeps.test(x) ? -1 : 1;
  }

  @Property
  void theSmallest_isOnItsSideOfTheEdgeAndWithinAHair(
      @ForAll @DoubleRange(min = -8.9, max = 17.9) double logEdge) {
    double edge = Math.pow(10, logEdge);
    double found = Search.smallest(LEAST, 1, MOST, sides(x -> x >= edge)).orElseThrow();
    assertThat(found).isBetween(edge, edge * (1 + 1e-12));
  }

  @Property
  void theLargest_isOnItsSideOfTheEdgeAndWithinAHair(
      @ForAll @DoubleRange(min = -8.9, max = 17.9) double logEdge) {
    double edge = Math.pow(10, logEdge);
    double found = Search.largest(LEAST, 1, MOST, sides(x -> x <= edge)).orElseThrow();
    assertThat(found).isBetween(edge * (1 - 1e-12), edge);
  }

  @Property
  void theLargestWholeNumber_isTheEdge(@ForAll @LongRange(min = 0) long edge) {
    assertThat(Search.largestWhole(n -> n <= edge)).isEqualTo(edge);
  }

  @Test
  void anEdgeBeyondTheEnds_givesTheEndOrNothing() {
    assertThat(Search.smallest(LEAST, 1, MOST, x -> -1)).hasValue(LEAST);
    assertThat(Search.smallest(LEAST, 1, MOST, x -> 1)).isEmpty();
    assertThat(Search.largest(LEAST, 1, MOST, x -> -1)).hasValue(MOST);
    assertThat(Search.largest(LEAST, 1, MOST, x -> 1)).isEmpty();
  }

  /** Accountants wobble by their last digits; what is returned has been tried all the same. */
  @Property
  void whatIsReturned_isKeptEvenWhereTheEdgeIsFrayed(
      @ForAll @DoubleRange(min = 0.1, max = 10) double edge) {
    DoublePredicate frayed =
        x -> x > edge * 1.001 || (x > edge && Double.doubleToLongBits(x) % 3 == 0);
    double found = Search.smallest(LEAST, 1, MOST, sides(frayed)).orElseThrow();
    assertThat(frayed.test(found)).isTrue();
  }

  /** As an ε falls with σ, roughly, and computed to so many digits. */
  private static double excess(double x, double edge, double power, double wobble) {
    double smooth = Math.log1p((Math.E - 1) * Math.pow(edge / x, power));
    return Math.log(smooth) + wobble * Math.sin(1e9 * x);
  }

  @Property
  void aSmoothExcessThatWobbles_isFollowedToItsEdge(
      @ForAll @DoubleRange(min = -2, max = 4) double logEdge,
      @ForAll @DoubleRange(min = 0.5, max = 3) double power,
      @ForAll @DoubleRange(min = -16, max = -6) double logWobble) {
    double edge = Math.pow(10, logEdge);
    double wobble = Math.pow(10, logWobble);
    DoubleUnaryOperator excess = x -> excess(x, edge, power, wobble);
    double found = Search.smallest(LEAST, 1, MOST, excess).orElseThrow();
    assertThat(excess.applyAsDouble(found)).isNotPositive();
    assertThat(found).isCloseTo(edge, withinPercentage(100 * (4 * wobble / power + 1e-12)));
  }

  private static int tries(DoubleUnaryOperator excess) {
    AtomicInteger tries = new AtomicInteger();
    Search.smallest(
        LEAST,
        1,
        MOST,
        x -> {
          tries.incrementAndGet();
          return excess.applyAsDouble(x);
        });
    return tries.get();
  }

  /** From 1 to 2561, the noise of a published study, and from 1 to a rate of 1e-6. */
  @Test
  void aSearch_takesFewTries_andFewerWhereItIsToldHowFarItIs() {
    for (double edge : new double[] {2561, 1e-6, 0.7, 1e9}) {
      assertThat(tries(sides(x -> x >= edge))).as("edge %s", edge).isLessThan(60);
      assertThat(tries(x -> excess(x, edge, 1.5, 0))).as("edge %s", edge).isLessThan(25);
    }
    assertThat(tries(x -> excess(x, 0.7, 1.5, 1e-9))).isLessThan(50);
    assertThat(tries(x -> x < 3 ? Double.POSITIVE_INFINITY : excess(x, 5, 1, 0))).isLessThan(30);
  }

  /** What sums up to more than is allowed may do so by one unit in the last place. */
  @Test
  void anExcess_isPositiveExactlyAboveWhatIsAllowed() {
    for (double allowed : new double[] {1e-300, 1e-5, 1, 3.7, 1e100}) {
      assertThat(Rule.excess(allowed, allowed)).isEqualTo(0);
      assertThat(Rule.excess(Math.nextUp(allowed), allowed)).isPositive();
      assertThat(Rule.excess(Math.nextDown(allowed), allowed)).isNotPositive();
    }
    assertThat(Rule.excess(Double.POSITIVE_INFINITY, 1)).isPositive();
    assertThat(Rule.excess(0, 0)).isEqualTo(0);
    assertThat(Rule.excess(1e-300, 0)).isPositive();
    assertThat(Rule.excess(0, 1)).isNegative();
  }

  @Test
  void theSmallestDelta_isAboveTheFixedPartAndAtMostOne() {
    assertThat(Search.smallestDelta(1e-6, d -> d.value() >= 1e-5))
        .isBetween(1e-5, 1e-5 * (1 + 1e-12));
    assertThat(Search.smallestDelta(0.5, d -> false)).isEqualTo(1);
    assertThat(Search.smallestDelta(1, d -> true)).isEqualTo(1);
    assertThat(Search.smallestDelta(0, d -> true)).isPositive().isLessThan(1e-300);
  }
}
