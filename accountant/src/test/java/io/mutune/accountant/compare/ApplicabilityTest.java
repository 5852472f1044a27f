package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which accountant takes which mechanism under which neighbours, and what it says if it does not.
 */
class ApplicabilityTest {
  private static final Delta DELTA = Delta.of(1e-5);
  private static final Epsilon SMALL = Epsilon.of(0.1);
  private static final NoiseMultiplier SIGMA = NoiseMultiplier.of(8);

  /** One of each, under the names of the table. */
  static Map<String, Mechanism> mechanisms() {
    Map<String, Mechanism> all = new TreeMap<>();
    all.put("gaussian", new Gaussian(SIGMA, 1, 4));
    all.put("sampled", new SubsampledGaussian(SIGMA, 0.1, 1, 4));
    all.put("sampled-all", new SubsampledGaussian(SIGMA, 1, 1, 4));
    all.put("laplace", new Laplace(10, 1, 4));
    all.put("sampled-laplace", new SubsampledLaplace(10, 0.1, 1, 4));
    all.put("sampled-laplace-all", new SubsampledLaplace(10, 1, 1, 4));
    all.put("exponential", new ExponentialMechanism(SMALL, 4));
    all.put("bit", new RandomizedResponse(SMALL, 4));
    all.put("pure", new PureDp(SMALL, 4));
    all.put("approximate", new ApproximateDp(SMALL, Delta.of(1e-7), 4));
    all.put("zcdp", TruncatedConcentrated.ofZeroConcentrated(0.001, 4));
    all.put("tcdp", new TruncatedConcentrated(0.001, 200, 4));
    all.put("selection", new RepeatAndSelect(new Gaussian(SIGMA, 1, 1), new PoissonTrials(3)));
    all.put(
        "failing-selection",
        new RepeatAndSelect(
            new RepeatAndSelect(new ApproximateDp(SMALL, Delta.of(1e-7), 1), new PoissonTrials(2)),
            new PoissonTrials(3)));
    return all;
  }

  private static Accountant accountant(String key) {
    return Accountant.ofKey(key).orElseThrow();
  }

  private static Mechanism mechanism(String name) {
    return Optional.ofNullable(mechanisms().get(name)).orElseThrow();
  }

  private static Optional<String> reason(Accountant accountant, Releases releases, Query query) {
    return accountant.answer(releases, query) instanceof NotApplicable none
        ? Optional.of(none.reason())
        : Optional.empty();
  }

  /** The table has each pair once; a reason that is empty means that there is a bound. */
  @ParameterizedTest
  @CsvFileSource(resources = "applicability.csv", numLinesToSkip = 1, nullValues = "takes")
  void eachPair_isTakenOrRefusedWithItsReason(
      String name, String key, Adjacency adjacency, String reason) {
    Releases alone = Releases.of(adjacency, mechanism(name));
    Accountant accountant = accountant(key);
    assertThat(reason(accountant, alone, new EpsilonAt(DELTA)))
        .isEqualTo(Optional.ofNullable(reason));
    assertThat(reason(accountant, alone, new DeltaAt(Epsilon.of(1))))
        .isEqualTo(Optional.ofNullable(reason));
    // Beside what every accountant takes, it is refused for the same reason, or taken as well.
    Releases beside = Releases.of(adjacency, new Gaussian(SIGMA, 1, 1)).plus(mechanism(name));
    assertThat(reason(accountant, beside, new EpsilonAt(DELTA)))
        .isEqualTo(Optional.ofNullable(reason));
    if (reason == null) {
      Bound bound = (Bound) accountant.answer(alone, new EpsilonAt(DELTA));
      assertThat(bound.isFinite()).isTrue();
      assertThat(bound.upper()).isPositive();
      assertThat(accountant.keeps(alone, Epsilon.of(bound.upper() * (1 + 1e-9)), DELTA)).isTrue();
    } else {
      assertThat(reason).doesNotEndWith(".").isNotBlank();
      assertThat(accountant.keeps(alone, Epsilon.of(1e6), DELTA)).isFalse();
    }
  }

  @Test
  void theTable_hasEveryPairUnderBothNeighbours() throws Exception {
    List<String> lines;
    try (InputStream in =
        Objects.requireNonNull(ApplicabilityTest.class.getResourceAsStream("applicability.csv"))) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    Set<String> pairs = new TreeSet<>();
    for (String line : lines.subList(1, lines.size())) {
      pairs.add(line.substring(0, line.indexOf(',', line.indexOf(',', line.indexOf(',') + 1) + 1)));
    }
    Set<String> expected = new TreeSet<>();
    for (String name : mechanisms().keySet()) {
      for (Accountant accountant : Accountant.values()) {
        for (Adjacency adjacency : Adjacency.values()) {
          expected.add(name + "," + accountant.key() + "," + adjacency);
        }
      }
    }
    assertThat(pairs).isEqualTo(expected);
  }

  /** What nobody else takes still has one accountant at least. */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void everyMechanism_hasAnAccountant(Adjacency adjacency) {
    mechanisms()
        .forEach(
            (name, mechanism) -> {
              AccountantComparison comparison =
                  AccountantComparison.of(Releases.of(adjacency, mechanism), new EpsilonAt(DELTA));
              assertThat(comparison.tightest()).as(name).isPresent();
              Accountant tightest = comparison.tightest().orElseThrow();
              double least = ((Bound) comparison.answer(tightest)).upper();
              assertThat(comparison.guarantee().upper()).isEqualTo(least);
              for (Answer answer : comparison.answers().values()) {
                if (answer instanceof Bound bound) {
                  assertThat(bound.upper()).isGreaterThanOrEqualTo(least);
                }
              }
            });
  }

  /**
   * At a δ of 0 there is an ε by basic composition, where nothing may fail and nothing is Gaussian.
   */
  @ParameterizedTest
  @EnumSource(Accountant.class)
  void aDeltaOfZero_isForBasicCompositionOfPureReleases(Accountant accountant) {
    Query zero = new EpsilonAt(Delta.of(0));
    Set<String> pure =
        Set.of("laplace", "sampled-laplace", "sampled-laplace-all", "exponential", "bit", "pure");
    mechanisms()
        .forEach(
            (name, mechanism) -> {
              Answer answer = accountant.answer(Releases.of(Adjacency.ADD_REMOVE, mechanism), zero);
              boolean has = accountant == Accountant.BASIC && pure.contains(name);
              assertThat(answer instanceof Bound bound && bound.isFinite())
                  .as("%s by %s", name, accountant.key())
                  .isEqualTo(has);
              assertThat(
                      accountant.keeps(
                          Releases.of(Adjacency.ADD_REMOVE, mechanism),
                          Epsilon.of(100),
                          Delta.of(0)))
                  .isEqualTo(has);
            });
  }

  @ParameterizedTest
  @EnumSource(Accountant.class)
  void nothingAtAll_costsNothingByEverybody(Accountant accountant) {
    for (Adjacency adjacency : Adjacency.values()) {
      Releases none = Releases.of(adjacency);
      assertThat(accountant.answer(none, new EpsilonAt(DELTA))).isEqualTo(new Bound(0, 0));
      assertThat(accountant.answer(none, new EpsilonAt(Delta.of(0)))).isEqualTo(new Bound(0, 0));
      assertThat(accountant.answer(none, new DeltaAt(Epsilon.of(0)))).isEqualTo(new Bound(0, 0));
      assertThat(accountant.keeps(none, Epsilon.of(0), Delta.of(0))).isTrue();
    }
  }

  /** Two accountants with the same figure: the first in their order is the one that is marked. */
  @Test
  void aTie_isTheFirstAccountants() {
    Bound same = Bound.upper(1);
    Map<Accountant, Answer> answers = new EnumMap<>(Accountant.class);
    for (Accountant accountant : Accountant.values()) {
      answers.put(accountant, same);
    }
    Releases releases = Releases.of(Adjacency.ADD_REMOVE, new PureDp(SMALL, 1));
    Query query = new EpsilonAt(DELTA);
    assertThat(new AccountantComparison(releases, query, answers).tightest())
        .contains(Accountant.GDP);
    for (Accountant better : EnumSet.complementOf(EnumSet.of(Accountant.GDP))) {
      answers.put(better, Bound.upper(Math.nextDown(1.0)));
      assertThat(new AccountantComparison(releases, query, answers).tightest()).contains(better);
      assertThat(new AccountantComparison(releases, query, answers).guarantee().upper())
          .isEqualTo(Math.nextDown(1.0));
      answers.put(better, same);
    }
  }

  /** A δ of 1 and an infinite ε are no news: nobody is marked for them. */
  @Test
  void boundsThatSayNothing_areNotMarked() {
    Map<Accountant, Answer> answers = new EnumMap<>(Accountant.class);
    Releases releases = Releases.of(Adjacency.ADD_REMOVE, new PureDp(SMALL, 1));
    for (Query query : List.of(new EpsilonAt(DELTA), new DeltaAt(SMALL))) {
      for (Accountant accountant : Accountant.values()) {
        answers.put(accountant, query.nothingKnown());
      }
      assertThat(new AccountantComparison(releases, query, answers).tightest()).isEmpty();
      answers.put(Accountant.RDP, new NotApplicable("it does not"));
      assertThat(new AccountantComparison(releases, query, answers).tightest()).isEmpty();
      answers.put(Accountant.BASIC, Bound.upper(query.trivial() == 1 ? 0.999 : 1e300));
      assertThat(new AccountantComparison(releases, query, answers).tightest())
          .contains(Accountant.BASIC);
    }
  }
}
