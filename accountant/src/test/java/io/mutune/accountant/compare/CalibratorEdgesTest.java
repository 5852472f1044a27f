package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The edge of a budget: what is found is kept, and the next whole number or a hair more is not. */
class CalibratorEdgesTest {
  /** Searches stop 2⁻⁴⁰ from the edge; figures of an accountant wobble by some 1e-11. */
  private static final double HAIR = 1e-10;

  private static final List<AccountingMethod> CLOSED =
      List.of(
          CombinedGuarantee.GUARANTEE,
          Accountant.GDP,
          Accountant.RDP,
          Accountant.ZCDP,
          Accountant.ADVANCED,
          Accountant.BASIC);

  static Stream<Arguments> budgets() {
    return CLOSED.stream()
        .flatMap(
            method ->
                Stream.of(
                    Arguments.of(method, 0.1, 1e-6),
                    Arguments.of(method, 1.0, 1e-5),
                    Arguments.of(method, 20.0, 1e-9)));
  }

  private static Releases gaussians(double sigma, long count) {
    return Releases.of(Adjacency.ADD_REMOVE, new Gaussian(NoiseMultiplier.of(sigma), 1, count));
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void noise_isKeptAndAHairLessIsNot(AccountingMethod method, double epsilon, double delta) {
    Calibrator calibrator = new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta));
    for (long count : new long[] {1, 30, 100_000}) {
      double sigma = calibrator.noise(s -> gaussians(s, count)).value();
      assertThat(method.keeps(gaussians(sigma, count), Epsilon.of(epsilon), Delta.of(delta)))
          .isTrue();
      assertThat(
              method.keeps(
                  gaussians(sigma * (1 - HAIR), count), Epsilon.of(epsilon), Delta.of(delta)))
          .isFalse();
      // Found again from the answer: the ε of what was found is within the budget and near it.
      if (method.answer(gaussians(sigma, count), new EpsilonAt(Delta.of(delta)))
          instanceof Answer.Bound bound) {
        assertThat(bound.upper()).isBetween(epsilon * (1 - 1e-7), epsilon);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void count_isKeptAndOneMoreIsNot(AccountingMethod method, double epsilon, double delta) {
    Calibrator calibrator = new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta));
    for (double sigma : new double[] {40, 1234.5}) {
      long count = calibrator.largestCount(t -> gaussians(sigma, t));
      assertThat(
              count == 0
                  || method.keeps(gaussians(sigma, count), Epsilon.of(epsilon), Delta.of(delta)))
          .isTrue();
      assertThat(method.keeps(gaussians(sigma, count + 1), Epsilon.of(epsilon), Delta.of(delta)))
          .isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void aFinalRun_isKeptAndAHairMoreIsNot(AccountingMethod method, double epsilon, double delta) {
    Calibrator calibrator = new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta));
    for (Releases charges :
        List.of(
            Releases.of(Adjacency.ADD_REMOVE),
            gaussians(200 / epsilon, 9),
            Releases.of(Adjacency.REPLACE_ONE, new Laplace(400 / epsilon, 1, 4)))) {
      if (method == CombinedGuarantee.GUARANTEE && !charges.areGaussian()) {
        // By numerical composition, whose wobble is more than a hair: see CalibratorTest.
        continue;
      }
      double mu = calibrator.finalShare(charges).orElseThrow().value();
      assertThat(
              method.keeps(
                  charges.plus(new Gaussian(NoiseMultiplier.of(1), mu, 1)),
                  Epsilon.of(epsilon),
                  Delta.of(delta)))
          .isTrue();
      assertThat(
              method.keeps(
                  charges.plus(new Gaussian(NoiseMultiplier.of(1), mu * (1 + HAIR), 1)),
                  Epsilon.of(epsilon),
                  Delta.of(delta)))
          .isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"RDP, 1, 0.5", "ADVANCED, 2, 0.5", "BASIC, 8, 0.1", "RDP, 0.2, 3"})
  void aRate_isKeptAndAHairMoreIsNot(Accountant accountant, double epsilon, double scale) {
    Calibrator calibrator = new Calibrator(accountant, Epsilon.of(epsilon), Delta.of(1e-5));
    double rate =
        calibrator.samplingRate(
            q -> Releases.of(Adjacency.ADD_REMOVE, new SubsampledLaplace(scale, q, 1, 40)));
    assertThat(rate).isBetween(1e-9, 0.999);
    for (double q : new double[] {rate, rate * (1 + 1e-9)}) {
      assertThat(
              accountant.keeps(
                  Releases.of(Adjacency.ADD_REMOVE, new SubsampledLaplace(scale, q, 1, 40)),
                  Epsilon.of(epsilon),
                  Delta.of(1e-5)))
          .isEqualTo(q == rate);
    }
  }

  /** More budget never asks for more noise, nor allows fewer releases. */
  @ParameterizedTest
  @MethodSource("budgets")
  void answers_areMonotoneInTheBudget(AccountingMethod method, double epsilon, double delta) {
    Calibrator tight = new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta));
    for (Calibrator loose :
        List.of(
            new Calibrator(method, Epsilon.of(epsilon * 1.1), Delta.of(delta)),
            new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta * 2)))) {
      assertThat(loose.noise(s -> gaussians(s, 50)).value())
          .isLessThan(tight.noise(s -> gaussians(s, 50)).value());
      assertThat(loose.largestCount(t -> gaussians(500, t)))
          .isGreaterThanOrEqualTo(tight.largestCount(t -> gaussians(500, t)));
      Mu more = loose.finalShare(gaussians(3000, 5)).orElseThrow();
      Mu less = tight.finalShare(gaussians(3000, 5)).orElseThrow();
      assertThat(more.value()).isGreaterThan(less.value());
    }
  }

  /** A row that is replaced moves a sum by twice as much: twice the noise, to rounding. */
  @ParameterizedTest
  @MethodSource("budgets")
  void twiceTheSensitivity_asksForTwiceTheNoise(
      AccountingMethod method, double epsilon, double delta) {
    Calibrator calibrator = new Calibrator(method, Epsilon.of(epsilon), Delta.of(delta));
    double one = calibrator.noise(s -> gaussians(s, 7)).value();
    double two =
        calibrator
            .noise(
                s ->
                    Releases.of(
                        Adjacency.REPLACE_ONE,
                        new Gaussian(
                            NoiseMultiplier.of(s), Adjacency.REPLACE_ONE.sumSensitivity(), 7)))
            .value();
    assertThat(two / one).isBetween(2 - 1e-9, 2 + 1e-9);
  }

  @Test
  void infeasibleTargets_areRefusedAndNameTheBudget() {
    Calibrator basic = new Calibrator(Accountant.BASIC, Epsilon.of(0.5), Delta.of(1e-5));
    Mechanism dear = new PureDp(Epsilon.of(0.6), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> basic.noise(s -> gaussians(s, 5).plus(dear)))
        .withMessageStartingWith("no noise multiplier up to 1.1529215046068")
        .withMessageEndingWith("keeps epsilon 0.5 at delta 1.0E-5 by basic");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                basic.samplingRate(
                    q ->
                        Releases.of(
                            Adjacency.ADD_REMOVE,
                            new SubsampledGaussian(NoiseMultiplier.of(5), q, 1, 1),
                            dear)))
        .withMessageStartingWith("no sampling rate down to ")
        .withMessageContaining("keeps epsilon 0.5 at delta 1.0E-5 by basic");
    assertThat(basic.finalShare(Releases.of(Adjacency.ADD_REMOVE, dear))).isEmpty();
    assertThat(basic.largestCount(t -> Releases.of(Adjacency.ADD_REMOVE, dear))).isZero();
    Calibrator gdp = new Calibrator(Accountant.GDP, Epsilon.of(5), Delta.of(1e-5));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                gdp.noise(
                    s ->
                        Releases.of(
                            Adjacency.ADD_REMOVE,
                            new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-9), 1))))
        .withMessageEndingWith("by gdp: what may fail with a probability delta is beyond every mu");
  }

  /** The search alone, on an edge that is known: the next double fails where the edge is exact. */
  @Property(tries = 500)
  void theSearch_findsAKnownEdgeFromEverywhere(
      @ForAll @DoubleRange(min = -15, max = 15) double logEdge,
      @ForAll @DoubleRange(min = -15, max = 15) double logStart) {
    double edge = Math.pow(10, logEdge);
    double start = Math.pow(10, logStart);
    OptionalDouble smallest = Search.smallest(1e-20, start, 1e20, SearchTest.sides(x -> x >= edge));
    assertThat(smallest.orElseThrow()).isBetween(edge, edge * (1 + 2e-12));
    OptionalDouble largest = Search.largest(1e-20, start, 1e20, SearchTest.sides(x -> x <= edge));
    assertThat(largest.orElseThrow()).isBetween(edge * (1 - 2e-12), edge);
  }

  @Property(tries = 500)
  void theSearchForAWholeNumber_isExact(@ForAll @LongRange(min = 0) long edge) {
    AtomicInteger calls = new AtomicInteger();
    long found =
        Search.largestWhole(
            n -> {
              calls.incrementAndGet();
              return n <= edge;
            });
    assertThat(found).isEqualTo(edge);
    assertThat(calls).hasValueLessThanOrEqualTo(130);
  }

  @Example
  void theSearchesEnds_areTriedAndReturned() {
    assertThat(Search.smallest(2, 4, 8, x -> 0).orElseThrow()).isEqualTo(2);
    assertThat(Search.smallest(2, 4, 8, x -> 8 - x).orElseThrow()).isEqualTo(8);
    assertThat(Search.smallest(2, 4, 8, x -> 1)).isEmpty();
    assertThat(Search.largest(2, 4, 8, x -> 0).orElseThrow()).isEqualTo(8);
    assertThat(Search.largest(2, 4, 8, x -> 1)).isEmpty();
    assertThat(Search.largestWhole(n -> true)).isEqualTo(Long.MAX_VALUE);
    assertThat(Search.largestWhole(n -> false)).isZero();
  }

  /** A predicate that wobbles: whatever comes back was tried and kept. */
  @Property(tries = 300)
  void anEdgeThatWobbles_neverYieldsWhatIsNotKept(
      @ForAll @DoubleRange(min = 0.5, max = 100) double edge,
      @ForAll @LongRange(min = 1, max = 1000) long seed) {
    DoublePredicate wobbling = x -> x >= edge * (1 + 1e-3 * Math.sin(x * seed * 1e6));
    double found = Search.smallest(1e-6, 1, 1e6, SearchTest.sides(wobbling)).orElseThrow();
    assertThat(wobbling.test(found)).isTrue();
    assertThat(found).isBetween(edge * 0.998, edge * 1.002);
  }

  @Property(tries = 200)
  void theSmallestDelta_isKeptBeyondWhatIsFixed(
      @ForAll @DoubleRange(min = 0, max = 0.5) double fixed,
      @ForAll @DoubleRange(min = -12, max = -0.5) double logMore) {
    double edge = fixed + Math.pow(10, logMore);
    double found = Search.smallestDelta(fixed, d -> d.value() >= edge);
    assertThat(found).isGreaterThanOrEqualTo(edge);
    assertThat(found - edge).isLessThanOrEqualTo(2e-12 * (edge - fixed) + 2 * Math.ulp(edge));
    assertThat(Search.smallestDelta(1, d -> true)).isEqualTo(1);
    assertThat(Search.smallestDelta(fixed, d -> false)).isEqualTo(1);
  }
}
