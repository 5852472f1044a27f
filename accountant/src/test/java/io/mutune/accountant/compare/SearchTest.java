package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoublePredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SearchTest {
  private static final double LEAST = 0x1p-30;
  private static final double MOST = 0x1p60;

  @Property
  void theSmallest_isOnItsSideOfTheEdgeAndWithinAHair(
      @ForAll @DoubleRange(min = -8.9, max = 17.9) double logEdge) {
    double edge = Math.pow(10, logEdge);
    double found = Search.smallest(LEAST, 1, MOST, x -> x >= edge).orElseThrow();
    assertThat(found).isBetween(edge, edge * (1 + 1e-12));
  }

  @Property
  void theLargest_isOnItsSideOfTheEdgeAndWithinAHair(
      @ForAll @DoubleRange(min = -8.9, max = 17.9) double logEdge) {
    double edge = Math.pow(10, logEdge);
    double found = Search.largest(LEAST, 1, MOST, x -> x <= edge).orElseThrow();
    assertThat(found).isBetween(edge * (1 - 1e-12), edge);
  }

  @Property
  void theLargestWholeNumber_isTheEdge(@ForAll @LongRange(min = 0) long edge) {
    assertThat(Search.largestWhole(n -> n <= edge)).isEqualTo(edge);
  }

  @Test
  void anEdgeBeyondTheEnds_givesTheEndOrNothing() {
    assertThat(Search.smallest(LEAST, 1, MOST, x -> true)).hasValue(LEAST);
    assertThat(Search.smallest(LEAST, 1, MOST, x -> false)).isEmpty();
    assertThat(Search.largest(LEAST, 1, MOST, x -> true)).hasValue(MOST);
    assertThat(Search.largest(LEAST, 1, MOST, x -> false)).isEmpty();
  }

  /** Accountants wobble by their last digits; what is returned has been tried all the same. */
  @Property
  void whatIsReturned_isKeptEvenWhereTheEdgeIsFrayed(
      @ForAll @DoubleRange(min = 0.1, max = 10) double edge) {
    DoublePredicate frayed =
        x -> x > edge * 1.001 || (x > edge && Double.doubleToLongBits(x) % 3 == 0);
    double found = Search.smallest(LEAST, 1, MOST, frayed).orElseThrow();
    assertThat(frayed.test(found)).isTrue();
  }

  /** From 1 to 2561, the noise of a published study, and from 1 to a rate of 1e-6. */
  @Test
  void aSearch_takesFewerThanSixtyTries() {
    for (double edge : new double[] {2561, 1e-6, 0.7, 1e9}) {
      AtomicInteger tries = new AtomicInteger();
      Search.smallest(
          LEAST,
          1,
          MOST,
          x -> {
            tries.incrementAndGet();
            return x >= edge;
          });
      assertThat(tries.get()).as("edge %s", edge).isLessThan(60);
    }
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
