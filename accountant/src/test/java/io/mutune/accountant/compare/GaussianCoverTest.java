package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.accountant.pld.PldAccountant;
import io.mutune.testing.Effort;
import io.mutune.testing.OracleTable;
import io.mutune.testing.OracleTable.Row;
import io.mutune.testing.Thorough;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.numbers.gamma.Erfc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GaussianCoverTest {
  private static final Delta DELTA = Delta.of(1e-5);

  private static Mechanism gaussian(double sigma) {
    return new Gaussian(NoiseMultiplier.of(sigma), 1, 1);
  }

  private static SubsampledGaussian sampled(double sigma, double q, long steps) {
    return new SubsampledGaussian(NoiseMultiplier.of(sigma), q, 1, steps);
  }

  private static Releases releases(Mechanism... mechanisms) {
    return Releases.of(Adjacency.ADD_REMOVE, mechanisms);
  }

  private static ApproximateGaussianDp cover(Releases releases) {
    return GaussianCover.of(releases, DELTA).orElseThrow();
  }

  /** δ₀ + (1 − δ₀)·δ(t; μ) at any t = e^ε, below 1 too, for which types have no ε. */
  private static double profile(ApproximateGaussianDp dp, double epsilon) {
    double delta = dp.delta(Epsilon.of(Math.abs(epsilon))).value();
    return epsilon >= 0 ? delta : reversed(delta, epsilon);
  }

  /** The other order's δ at ε below 0: 1 − e^ε + e^ε·δ(−ε). */
  private static double reversed(double delta, double epsilon) {
    return 1 - Math.exp(epsilon) + Math.exp(epsilon) * delta;
  }

  @Test
  void gaussiansAlone_haveTheirMuToTheLastBit_andNoDelta0() {
    Releases releases = releases(gaussian(3), gaussian(0.7), new Laplace(2, 1, 4));
    assertThat(cover(releases)).isEqualTo(ApproximateGaussianDp.of(GaussianDp.of(releases.mu())));
    assertThat(cover(releases(gaussian(2))).mu()).isEqualTo(Mu.of(0.5));
    assertThat(cover(releases())).isEqualTo(ApproximateGaussianDp.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.01, 1000, 1.01",
    "5, 0.1, 100, 1.01",
    "20, 0.25, 500, 1.01",
    "0.8, 0.005, 2000, 1.04",
    "0.7, 0.001, 5000, 1.15",
    "0.6, 0.02, 200, 1.04",
    "2, 0.5, 1, 1.01"
  })
  void aSampledPlan_isBelowItsCoverEverywhere_andLittleBelowIt(
      double sigma, double q, long steps, double most) {
    Releases releases = releases(sampled(sigma, q, steps));
    ApproximateGaussianDp cover = cover(releases);
    PldAccountant truth = PldAccountant.of(releases.mechanisms(), releases.adjacency());
    double highest = cover.epsilon(Delta.of(cover.delta0().value() * 1.001)).value();
    Random random = new Random(7);
    for (int i = 0; i < Effort.of(20, 60); i++) {
      // The accountant answers for both orders, so that one figure has both signs of ε.
      double epsilon = (2 * random.nextDouble() - 1) * 1.2 * highest;
      double delta = truth.delta(Epsilon.of(Math.abs(epsilon))).value();
      double here = epsilon >= 0 ? delta : reversed(delta, epsilon);
      // The accountant's own upper bound may be 1e-6 above the truth.
      assertThat(here).isLessThanOrEqualTo(profile(cover, epsilon) * (1 + 1e-6));
    }
    double ratio = cover.epsilon(DELTA).value() / truth.epsilon(DELTA);
    assertThat(ratio).isBetween(1.0, most);
  }

  @ParameterizedTest
  @CsvSource({"2, 0.5", "1, 0.05", "0.5, 0.2", "4, 0.9"})
  void oneSample_isBelowItsCover_byItsClosedForm_inBothOrders(double sigma, double q) {
    ApproximateGaussianDp cover = cover(releases(sampled(sigma, q, 1)));
    Random random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      double epsilon = 16 * random.nextDouble() - 8;
      double threshold = (12 * random.nextDouble() - 5) * sigma;
      double without = tail(threshold / sigma);
      double with = (1 - q) * without + q * tail((threshold - 1) / sigma);
      // Either order, and the event or its complement: no test is above the cover.
      double t = Math.exp(epsilon);
      double best =
          Collections.max(
              List.of(
                  with - t * without,
                  without - t * with,
                  (1 - with) - t * (1 - without),
                  (1 - without) - t * (1 - with)));
      assertThat(best).isLessThanOrEqualTo(profile(cover, epsilon) + 1e-15);
    }
  }

  private static double tail(double z) {
    return Erfc.value(z * Math.sqrt(0.5)) / 2;
  }

  @Test
  void aRowThatIsHardlyEverSampled_costsHardlyAnyMu() {
    // Its total variation is 10·1e-4·0.4/50 = 8e-6 at most, of which δ₀ is an eighth.
    double mu = cover(releases(sampled(50, 1e-4, 10))).mu().value();
    assertThat(mu).isBetween(1e-7, 2e-5);
  }

  @Test
  @Thorough
  void aMuThatIsTooSmall_isBelowTheTruth() {
    Releases releases = releases(sampled(1, 0.01, 1000));
    ApproximateGaussianDp cover = cover(releases);
    PldAccountant truth = PldAccountant.of(releases.mechanisms(), releases.adjacency());
    ApproximateGaussianDp small =
        new ApproximateGaussianDp(Mu.of(0.99 * cover.mu().value()), cover.delta0());
    boolean found = false;
    double apart = Effort.isThorough() ? 1.3 : 1.8;
    for (double delta = 2e-6; delta < 0.3; delta *= apart) {
      Delta d = Delta.of(delta);
      double lower = truth.interval(d).lower();
      assertThat(lower).isLessThanOrEqualTo(cover.epsilon(d).value());
      found |= lower > small.epsilon(d).value();
    }
    assertThat(found).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1, 1.01", "2, 1.02", "10, 1.04", "40, 1.08"})
  void studiesThatCompose_costWhatNumericalCompositionSays_andLittleMore(int times, double most) {
    List<Mechanism> two = List.of(sampled(6, 0.05, 300), sampled(4, 0.02, 500));
    List<ApproximateGaussianDp> coversOfTwo =
        two.stream().map(one -> cover(releases(one))).toList();
    List<Mechanism> all = new ArrayList<>();
    List<ApproximateGaussianDp> covers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(two.get(i % 2));
      covers.add(coversOfTwo.get(i % 2));
    }
    ApproximateGaussianDp together = ApproximateGaussianDp.compose(covers);
    PldAccountant truth = PldAccountant.of(all, Adjacency.ADD_REMOVE);
    // Where each study's δ₀ is a tenth of its δ, the total's is a tenth of the total.
    Delta delta = Delta.of(times * DELTA.value());
    double ratio = together.epsilon(delta).value() / truth.epsilon(delta);
    assertThat(ratio).isBetween(1.0, most);
  }

  static Stream<Row> oracle() {
    return Effort.oneIn(
        12,
        OracleTable.read("dpsgd.json")
            .rows("epsilon")
            .filter(row -> row.number("q") < 1 && row.has("bracket")));
  }

  @ParameterizedTest
  @MethodSource("oracle")
  void theOraclesPlans_costNoLessThanItsLowerEnd(Row row) {
    Delta delta = row.delta();
    Releases releases = releases(sampled(row.number("sigma"), row.number("q"), row.whole("T")));
    ApproximateGaussianDp cover = GaussianCover.of(releases, delta).orElseThrow();
    assertThat(cover.delta0().value()).isLessThanOrEqualTo(delta.value() / 10);
    // Where nothing is protected, what the plan costs without sampling is all that is found.
    if (cover.mu().value() < 10) {
      assertThat(cover.delta0().value()).isGreaterThan(delta.value() / 10 * (1 - 2e-6));
    }
    // The oracle's interval is good for a round-off of 1e-9.
    assertThat(cover.epsilon(delta).value())
        .isGreaterThanOrEqualTo(row.json().get("bracket").get(0).asDouble() - 1e-9);
  }

  @Test
  void tenStudies_fitIntoTheirDelta() {
    ApproximateGaussianDp one = cover(releases(sampled(5, 0.1, 100)));
    ApproximateGaussianDp ten = ApproximateGaussianDp.compose(Collections.nCopies(10, one));
    assertThat(ten.delta0().value()).isLessThanOrEqualTo(DELTA.value());
  }

  @Test
  void replacedRows_areCoveredToo() {
    Releases releases =
        Releases.of(
            Adjacency.REPLACE_ONE, new SubsampledGaussian(NoiseMultiplier.of(5), 0.1, 2, 100));
    PldAccountant truth = PldAccountant.of(releases.mechanisms(), releases.adjacency());
    assertThat(cover(releases).epsilon(DELTA).value() / truth.epsilon(DELTA)).isBetween(1.0, 1.01);
  }

  @Test
  void gaussiansBesideSamples_areComposedWithThem() {
    Releases both = releases(sampled(5, 0.1, 100), gaussian(3));
    double apart =
        ApproximateGaussianDp.compose(
                List.of(cover(releases(sampled(5, 0.1, 100))), cover(releases(gaussian(3)))))
            .mu()
            .value();
    // No more than composing their covers, but for chords.
    assertThat(cover(both).mu().value()).isBetween(1.0 / 3, apart * 1.001);
  }

  @Test
  void whatFails_hasItsProbabilityWithinDelta0() {
    Releases releases =
        releases(new ApproximateDp(Epsilon.of(0.3), Delta.of(4e-6), 1), sampled(5, 0.1, 100));
    ApproximateGaussianDp cover = cover(releases);
    assertThat(cover.delta0().value()).isBetween(4e-6, 4.7e-6);
    PldAccountant truth = PldAccountant.of(releases.mechanisms(), releases.adjacency());
    assertThat(cover.epsilon(DELTA).value()).isGreaterThanOrEqualTo(truth.epsilon(DELTA));
    Releases worse = releases(new ApproximateDp(Epsilon.of(0.3), Delta.of(2e-5), 1));
    assertThat(GaussianCover.of(worse, DELTA)).isEmpty();
  }

  @Test
  void withoutDelta0_samplesCostAsMuchAsWithoutSampling() {
    Releases releases = releases(sampled(5, 0.1, 100));
    assertThat(GaussianCover.within(releases, Delta.of(0)))
        .contains(new ApproximateGaussianDp(Mu.of(2), Delta.of(0)));
    Releases selection = releases(new RepeatAndSelect(gaussian(10), new PoissonTrials(10)));
    assertThat(GaussianCover.within(selection, Delta.of(0))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "4, 3", "20, 100"})
  void randomStopping_isBelowItsCover_whereTheBestIsTheLargestOutput(double sigma, double mean) {
    Releases releases = releases(new RepeatAndSelect(gaussian(sigma), new PoissonTrials(mean)));
    ApproximateGaussianDp cover = cover(releases);
    // P(best ≤ x) = exp(−mean·P(one > x)), none at all among them.
    Random random = new Random(13);
    double closest = 0;
    for (int i = 0; i < 20_000; i++) {
      double epsilon = 8 * random.nextDouble() - 4;
      double threshold = (10 * random.nextDouble() - 4) * sigma;
      double p = -Math.expm1(-mean * tail((threshold - 1) / sigma));
      double q = -Math.expm1(-mean * tail(threshold / sigma));
      double t = Math.exp(epsilon);
      double best =
          Collections.max(
              List.of(p - t * q, q - t * p, (1 - p) - t * (1 - q), (1 - q) - t * (1 - p)));
      assertThat(best).isLessThanOrEqualTo(profile(cover, epsilon) + 1e-15);
      closest = Math.max(closest, best / profile(cover, epsilon));
    }
    assertThat(closest).isGreaterThan(0.2);
  }

  /** The figures of docs/soundness.md and docs/accounts.md. */
  @ParameterizedTest
  @CsvSource({"3, 2.16", "10, 3.00", "100, 4.05"})
  void randomStopping_hasAnExpensiveCover_moreSoWithMoreRuns(double mean, double ratio) {
    Releases releases =
        releases(new RepeatAndSelect(gaussian(5.594), TruncatedNegativeBinomial.ofMean(1, mean)));
    double own = CombinedGuarantee.GUARANTEE.bound(releases, new Query.EpsilonAt(DELTA)).upper();
    // The figures are rounded to hundredths.
    assertThat(cover(releases).epsilon(DELTA).value() / own).isCloseTo(ratio, within(0.006));
  }

  @Test
  void randomStoppingBesideSamplesAndGaussians_isComposedWithThem() {
    Mechanism selection = new RepeatAndSelect(gaussian(10), new PoissonTrials(10));
    double alone = cover(releases(selection)).mu().value();
    ApproximateGaussianDp withGaussian = cover(releases(selection, gaussian(2)));
    // Composed with it, which is less than what covers each.
    assertThat(withGaussian.mu().value()).isBetween(0.5, Math.hypot(alone, 0.5));
    ApproximateGaussianDp all = cover(releases(selection, gaussian(2), sampled(5, 0.1, 100)));
    assertThat(all.mu().value()).isGreaterThan(withGaussian.mu().value());
    assertThat(all.delta0().value()).isLessThanOrEqualTo(1e-6 * (1 + 1e-15));
    ApproximateGaussianDp concentrated =
        cover(releases(TruncatedConcentrated.ofZeroConcentrated(0.02, 1)));
    // It may be a Gaussian of this μ, whose own profile δ₀ lets be a little smaller.
    assertThat(concentrated.mu().value()).isBetween(0.199, 0.4);
  }
}
