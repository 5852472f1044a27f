package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.testing.Effort;
import io.mutune.testing.Mechanisms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every accountant and every mechanism. */
@AddLifecycleHook(Effort.class)
class AccountantPropertyTest {
  /** Rounding of sums in another order, and of searches for an order or a δ. */
  private static final double ROUNDING = 1e-8;

  /** Below it two ε near 0 are the same. */
  private static final double NOTHING = 1e-9;

  /** How far a grid that was chosen for one question may be from that of its neighbour. */
  private static final double GRID = 2e-4;

  private static double tolerance(Accountant accountant) {
    return accountant == Accountant.PLD ? GRID : ROUNDING;
  }

  @Provide
  Arbitrary<Mechanism> usual() {
    return Mechanisms.usual();
  }

  @Provide
  Arbitrary<Mechanism> unselected() {
    return Mechanisms.usualWithoutSelections();
  }

  @Provide
  Arbitrary<Mechanism> extreme() {
    return Mechanisms.extreme();
  }

  @Provide
  Arbitrary<Delta> deltas() {
    return Mechanisms.deltas(-8, -2);
  }

  @Provide
  Arbitrary<Delta> allDeltas() {
    return Mechanisms.deltas(-300, -0.01);
  }

  @Provide
  Arbitrary<Epsilon> allEpsilons() {
    return Mechanisms.powersOfTen(-8, 6).map(Epsilon::of);
  }

  static List<LongFunction<Mechanism>> counted() {
    return Mechanisms.counted();
  }

  private static double upper(Accountant accountant, Releases releases, Query query) {
    return accountant.answer(releases, query) instanceof Bound bound ? bound.upper() : Double.NaN;
  }

  private static void isNoDearer(double cheap, double dear, Accountant accountant, Object what) {
    if (Double.isNaN(cheap) || Double.isNaN(dear)) {
      return;
    }
    assertThat(cheap)
        .as("%s of %s", accountant.key(), what)
        .isLessThanOrEqualTo(dear * (1 + tolerance(accountant)) + NOTHING);
  }

  /**
   * More runs cost more by the formula of Rényi DP. By the whole curve they may cost less: the best
   * of many outcomes is nearly always the same one, whichever neighbour they are of.
   */
  private static boolean isOrdered(Accountant accountant, Mechanism mechanism, Mechanism worse) {
    return accountant != Accountant.PLD
        || !(mechanism instanceof RepeatAndSelect one)
        || !(worse instanceof RepeatAndSelect other)
        || one.trials().equals(other.trials());
  }

  @Property(tries = 15)
  void everyParameterMadeWorse_costsNoLessEpsilon(
      @ForAll("usual") Mechanism mechanism,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    Query query = new EpsilonAt(delta);
    for (Accountant accountant : Accountant.values()) {
      double cost = upper(accountant, Releases.of(adjacency, mechanism), query);
      for (Mechanism worse : Mechanisms.dearer(mechanism)) {
        if (isOrdered(accountant, mechanism, worse)) {
          double dear = upper(accountant, Releases.of(adjacency, worse), query);
          isNoDearer(cost, dear, accountant, mechanism);
        }
      }
    }
  }

  @Property(tries = 10)
  void everyParameterMadeWorse_costsNoLessDelta(
      @ForAll("usual") Mechanism mechanism, @ForAll Adjacency adjacency) {
    Query query = new DeltaAt(Epsilon.of(0.5));
    for (Accountant accountant : Accountant.values()) {
      double cost = upper(accountant, Releases.of(adjacency, mechanism), query);
      for (Mechanism worse : Mechanisms.dearer(mechanism)) {
        if (isOrdered(accountant, mechanism, worse)) {
          double dear = upper(accountant, Releases.of(adjacency, worse), query);
          isNoDearer(cost, dear, accountant, mechanism);
        }
      }
    }
  }

  @Property(tries = 15)
  void aLargerDelta_needsNoMoreEpsilon(
      @ForAll("usual") Mechanism mechanism,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    Releases releases = Releases.of(adjacency, mechanism);
    Query larger = new EpsilonAt(Delta.of(delta.value() * 1.2));
    for (Accountant accountant : Accountant.values()) {
      isNoDearer(
          upper(accountant, releases, larger),
          upper(accountant, releases, new EpsilonAt(delta)),
          accountant,
          mechanism);
    }
  }

  /** One more release of another kind never makes the whole cheaper. */
  @Property(tries = 10)
  void anotherCharge_costsNoLess(
      @ForAll("unselected") Mechanism first,
      @ForAll("unselected") Mechanism second,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    Query query = new EpsilonAt(delta);
    for (Accountant accountant : Accountant.values()) {
      isNoDearer(
          upper(accountant, Releases.of(adjacency, first), query),
          upper(accountant, Releases.of(adjacency, first, second), query),
          accountant,
          List.of(first, second));
    }
  }

  @Property(tries = 8)
  void theOrderOfCharges_doesNotMatter(
      @ForAll @Size(min = 2, max = 4) List<@net.jqwik.api.From("usual") Mechanism> mechanisms,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    List<Mechanism> back = new ArrayList<>(mechanisms);
    Collections.reverse(back);
    Query query = new EpsilonAt(delta);
    for (Accountant accountant : Accountant.values()) {
      double forth = upper(accountant, new Releases(mechanisms, adjacency), query);
      double other = upper(accountant, new Releases(back, adjacency), query);
      isNoDearer(forth, other, accountant, mechanisms);
      isNoDearer(other, forth, accountant, mechanisms);
    }
  }

  /** The guarantee's own check throws if a lower end passes an upper one. */
  @Property(tries = 15)
  void theAccountants_neverContradictEachOther(
      @ForAll @Size(min = 1, max = 3) List<@net.jqwik.api.From("usual") Mechanism> mechanisms,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    Releases releases = new Releases(mechanisms, adjacency);
    for (Query query : List.of(new EpsilonAt(delta), new DeltaAt(Epsilon.of(1)))) {
      AccountantComparison comparison = AccountantComparison.of(releases, query);
      Bound guarantee = comparison.guarantee();
      assertThat(guarantee).isEqualTo(CombinedGuarantee.GUARANTEE.bound(releases, query));
      for (Answer answer : comparison.answers().values()) {
        if (answer instanceof Bound bound) {
          assertThat(guarantee.upper()).isLessThanOrEqualTo(bound.upper() * (1 + ROUNDING));
          assertThat(bound.lower()).isLessThanOrEqualTo(guarantee.upper() * (1 + ROUNDING));
        }
      }
    }
  }

  /** δ at the ε that was found for a δ is that δ at most; searches stop a hair before. */
  @Property(tries = 10)
  void deltaAndEpsilon_undoEachOther(
      @ForAll("usual") Mechanism mechanism,
      @ForAll("deltas") Delta delta,
      @ForAll Adjacency adjacency) {
    Releases releases = Releases.of(adjacency, mechanism);
    for (Accountant accountant : Accountant.values()) {
      double epsilon = upper(accountant, releases, new EpsilonAt(delta));
      if (Double.isNaN(epsilon) || Double.isInfinite(epsilon)) {
        continue;
      }
      double little = epsilon * (1 + tolerance(accountant)) + NOTHING;
      assertThat(upper(accountant, releases, new DeltaAt(Epsilon.of(little))))
          .as(accountant.key())
          .isLessThanOrEqualTo(delta.value() * (1 + tolerance(accountant)));
    }
  }

  @Property(tries = 40)
  void nothing_isEverNotANumberOrNegative(
      @ForAll("extreme") Mechanism mechanism,
      @ForAll("allDeltas") Delta delta,
      @ForAll("allEpsilons") Epsilon epsilon,
      @ForAll Adjacency adjacency) {
    Releases releases = Releases.of(adjacency, mechanism);
    for (Accountant accountant : Accountant.values()) {
      // A bound that is not a number, or negative, cannot be made: these calls would throw.
      Answer forDelta = accountant.answer(releases, new EpsilonAt(delta));
      Answer forEpsilon = accountant.answer(releases, new DeltaAt(epsilon));
      assertThat(forEpsilon.getClass()).isIn(Bound.class, Answer.NotApplicable.class);
      if (forEpsilon instanceof Bound bound) {
        assertThat(bound.upper()).as(accountant.key()).isLessThanOrEqualTo(1);
      }
      if (forDelta instanceof Bound bound) {
        assertThat(bound.lower()).as(accountant.key()).isNotNegative();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("counted")
  void aCount_costsWhatAsManyChargesDo(LongFunction<Mechanism> mechanism) {
    Query query = new EpsilonAt(Delta.of(1e-6));
    for (int n : new int[] {2, 7, 50}) {
      for (Adjacency adjacency : Adjacency.values()) {
        Releases counted = Releases.of(adjacency, mechanism.apply(n));
        Releases byHand = new Releases(Collections.nCopies(n, mechanism.apply(1)), adjacency);
        for (Accountant accountant : Accountant.values()) {
          double one = upper(accountant, counted, query);
          double other = upper(accountant, byHand, query);
          assertThat(Double.isNaN(one)).isEqualTo(Double.isNaN(other));
          isNoDearer(one, other, accountant, mechanism.apply(n));
          isNoDearer(other, one, accountant, mechanism.apply(n));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("counted")
  void manyReleases_costMoreThanOne(LongFunction<Mechanism> mechanism) {
    for (Accountant accountant : Accountant.values()) {
      Query query = new EpsilonAt(Delta.of(1e-5));
      Adjacency adjacency = Adjacency.ADD_REMOVE;
      double one = upper(accountant, Releases.of(adjacency, mechanism.apply(1)), query);
      double many = upper(accountant, Releases.of(adjacency, mechanism.apply(100)), query);
      if (one > NOTHING) {
        assertThat(many).as(accountant.key()).isGreaterThan(2 * one);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Accountant.class)
  void aSampleOfEveryRow_costsWhatAllRowsDo(Accountant accountant) {
    for (Adjacency adjacency : Adjacency.values()) {
      for (Query query : List.of(new EpsilonAt(Delta.of(1e-6)), new DeltaAt(Epsilon.of(0.5)))) {
        NoiseMultiplier sigma = NoiseMultiplier.of(12);
        assertThat(
                accountant.answer(
                    Releases.of(adjacency, new SubsampledGaussian(sigma, 1, 2, 9)), query))
            .isEqualTo(accountant.answer(Releases.of(adjacency, new Gaussian(sigma, 2, 9)), query));
        Answer sampled =
            accountant.answer(Releases.of(adjacency, new SubsampledLaplace(30, 1, 2, 9)), query);
        Answer whole = accountant.answer(Releases.of(adjacency, new Laplace(30, 2, 9)), query);
        if (accountant == Accountant.RDP) {
          // Two curves with roundings of their own.
          assertThat(((Bound) sampled).upper())
              .isCloseTo(
                  ((Bound) whole).upper(), org.assertj.core.api.Assertions.withinPercentage(1e-6));
        } else {
          assertThat(sampled).isEqualTo(whole);
        }
      }
    }
  }

  /** A row that is replaced may be one that adds nothing: what removes it is a special case. */
  @ParameterizedTest
  @CsvSource({"1, 0.01, 1000", "2, 0.1, 50", "0.8, 0.001, 300", "20, 0.5, 100", "5, 1, 10"})
  void aRowReplaced_costsAtLeastARowRemovedAndAtMostTwo(double sigma, double rate, long count) {
    NoiseMultiplier noise = NoiseMultiplier.of(sigma);
    Releases removed =
        Releases.of(Adjacency.ADD_REMOVE, new SubsampledGaussian(noise, rate, 1, count));
    Releases replaced =
        Releases.of(Adjacency.REPLACE_ONE, new SubsampledGaussian(noise, rate, 2, count));
    for (Accountant accountant : List.of(Accountant.PLD, Accountant.RDP)) {
      Query query = new EpsilonAt(Delta.of(1e-5));
      double one = upper(accountant, removed, query);
      assertThat(upper(accountant, replaced, query)).isGreaterThanOrEqualTo(one * (1 - GRID));
    }
    // Group privacy: ε-indistinguishable but for δ twice is 2ε but for (1 + e^ε)δ.
    Bound one = CombinedGuarantee.GUARANTEE.bound(removed, new EpsilonAt(Delta.of(1e-5)));
    Query twice = new EpsilonAt(Delta.of(Math.min(0.99, 1e-5 * (1 + Math.exp(one.upper())))));
    assertThat(CombinedGuarantee.GUARANTEE.bound(replaced, twice).lower())
        .isLessThanOrEqualTo(2 * one.upper());
  }
}
