package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.testing.Mechanisms;
import io.mutune.testing.Thorough;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the accountant takes, refuses and survives. */
class PldAccountantTest {
  private static final Delta DELTA = Delta.of(1e-5);

  static Stream<LongFunction<Mechanism>> supported() {
    return Mechanisms.counted().stream()
        .filter(m -> PldAccountant.supports(m.apply(1), Adjacency.ADD_REMOVE));
  }

  @ParameterizedTest
  @MethodSource("supported")
  void aCount_isThatManyCharges(LongFunction<Mechanism> mechanism) {
    for (int count : new int[] {2, 7}) {
      double together =
          PldAccountant.of(List.of(mechanism.apply(count)), Adjacency.ADD_REMOVE).epsilon(DELTA);
      double apart =
          PldAccountant.of(Collections.nCopies(count, mechanism.apply(1)), Adjacency.ADD_REMOVE)
              .epsilon(DELTA);
      // Equal losses are counted; only Gaussian ones are composed one by one, rounded up.
      assertThat(apart).isCloseTo(together, within(1e-9 * together));
      double one =
          PldAccountant.of(List.of(mechanism.apply(1)), Adjacency.ADD_REMOVE).epsilon(DELTA);
      assertThat(together).isGreaterThanOrEqualTo(one * (1 - 1e-6));
    }
  }

  /** Adding a row nearly bounds the loss: no double is as small as its δ at these ε. */
  @ParameterizedTest
  @CsvSource({"40, 0.8, 0.01, 10", "40, 1, 0.4, 1", "100, 0.6, 0.02, 40"})
  void theDeltaOfAnEpsilon_isTheOneThatHasThisEpsilon(
      double gaussian, double sigma, double rate, long count) {
    PldAccountant pld =
        PldAccountant.of(
            List.of(
                new Gaussian(NoiseMultiplier.of(gaussian), 1, 1),
                new SubsampledGaussian(NoiseMultiplier.of(sigma), rate, 1, count)),
            Adjacency.ADD_REMOVE);
    for (double delta : new double[] {1e-4, 1e-7, 1e-10}) {
      double epsilon = pld.epsilon(Delta.of(delta));
      assertThat(pld.delta(Epsilon.of(epsilon)).value())
          .as("epsilon %s", epsilon)
          .isCloseTo(delta, within(1e-5 * delta));
      // It errs by the first power of the spacing, and changes some ten times as fast as ε.
      assertThat(pld.deltaAtMost(Epsilon.of(epsilon)))
          .as("epsilon %s", epsilon)
          .isBetween(0.98 * delta, delta * (1 + 1e-5));
    }
  }

  @Test
  void whatHasNoPair_isRefusedWithItsOwnReason() {
    Mechanism concentrated = new TruncatedConcentrated(0.1, 100, 1);
    Mechanism sampled = new SubsampledLaplace(1, 0.5, 1, 1);
    String renyi = PldAccountant.reasonAgainst(concentrated, Adjacency.ADD_REMOVE).orElseThrow();
    String replaced = PldAccountant.reasonAgainst(sampled, Adjacency.REPLACE_ONE).orElseThrow();
    assertThat(renyi).contains("Rényi").contains(concentrated.name());
    assertThat(replaced).contains("replace-one").contains(sampled.name());
    assertThat(PldAccountant.reasonAgainst(sampled, Adjacency.ADD_REMOVE)).isEmpty();
    assertThatThrownBy(() -> PldAccountant.of(List.of(concentrated), Adjacency.ADD_REMOVE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(renyi);
  }

  @Test
  void anApproximateMechanism_costsItsEpsilonAtItsDeltaAndHasNoneBelow() {
    PldAccountant one =
        PldAccountant.of(
            List.of(new ApproximateDp(Epsilon.of(0.5), Delta.of(1e-5), 1)), Adjacency.ADD_REMOVE);
    assertThat(one.interval(DELTA).upper()).isCloseTo(0.5, within(1e-14));
    assertThat(one.interval(DELTA).lower()).isLessThanOrEqualTo(0.5);
    assertThat(one.interval(Delta.of(0.9e-5)).lower()).isInfinite();
  }

  /** A row that is added to samples has a largest loss: what is asked beyond it is no plan's. */
  @ParameterizedTest
  @CsvSource({
    "0.76, 0.0155, 4, 0",
    "1.1685, 0.04777, 2, 0",
    "0.9, 0.2, 3, 0.4",
    "1.6, 0.5, 12, 0.1",
    "0.49508224, 0.0287419, 3, 0"
  })
  void theDeltaOfAnEpsilon_isTheOneThatItWasFoundFor(
      double sigma, double q, long count, double pure) {
    List<Mechanism> releases = new ArrayList<>();
    releases.add(new SubsampledGaussian(NoiseMultiplier.of(sigma), q, 1, count));
    releases.add(new SubsampledLaplace(sigma, q, 1, count));
    if (pure > 0) {
      releases.add(new PureDp(Epsilon.of(pure), 2));
    }
    for (List<Mechanism> some : List.of(releases.subList(0, 1), releases)) {
      PldAccountant numbers = PldAccountant.of(some, Adjacency.ADD_REMOVE);
      for (double delta : new double[] {1e-3, 1e-7}) {
        double epsilon = numbers.epsilon(Delta.of(delta));
        assertThat(numbers.delta(Epsilon.of(epsilon * (1 + 1e-6))).value())
            .isLessThanOrEqualTo(delta * 1.01);
      }
    }
  }

  @Test
  void aRowOfFewSamples_isCoveredByLittleMoreThanItCosts() {
    PldAccountant few =
        PldAccountant.of(
            List.of(new SubsampledGaussian(NoiseMultiplier.of(0.49508224), 0.0287419, 1, 3)),
            Adjacency.ADD_REMOVE);
    assertThat(few.covering(Delta.of(1e-6)).orElseThrow().mu().value()).isLessThan(1.27);
  }

  /** The end of a window may be all but the largest sum of losses, which the grid rounds up. */
  @Test
  void aLargerDelta_needsNoLargerEpsilon() {
    PldAccountant both =
        PldAccountant.of(
            List.of(
                new SubsampledGaussian(NoiseMultiplier.of(0.385), 0.0016, 1, 10),
                new PureDp(Epsilon.of(0.266), 4)),
            Adjacency.ADD_REMOVE);
    double before = Double.POSITIVE_INFINITY;
    for (double delta : new double[] {1.4e-3, 1.5e-3, 1.6e-3, 1.7e-3, 1.8e-3}) {
      EpsilonInterval epsilon = both.interval(Delta.of(delta));
      assertThat(epsilon.upper()).isLessThan(before).isLessThan(epsilon.lower() * 1.001);
      before = epsilon.upper();
    }
  }

  /** Of rare samples that tell a lot, which a window's end or a wrong tail bound once hid. */
  @ParameterizedTest
  @CsvSource({"0.3, 0.001, 1e-6", "0.3, 0.01, 1e-9", "0.35, 0.0016, 1e-6", "0.5, 1e-5, 1e-9"})
  void lowerEnds_areNextToUpperOnesAndGrowWithTheSteps(double sigma, double q, double delta) {
    double before = 0;
    for (long steps : new long[] {1, 2, 5, 10, 49, 60, 1000}) {
      EpsilonInterval interval =
          PldAccountant.of(
                  List.of(new SubsampledGaussian(NoiseMultiplier.of(sigma), q, 1, steps)),
                  Adjacency.ADD_REMOVE)
              .interval(Delta.of(delta));
      // A thousand losses are each lowered by up to a point of the grid.
      assertThat(interval.lower())
          .as("%s steps", steps)
          .isGreaterThan(before)
          .isBetween(0.999 * interval.upper(), interval.upper());
      before = interval.lower();
    }
  }

  /** The cap is what it covers: never below the numbers, and exact for what is Gaussian. */
  @Test
  void theClosedFormsCap_isAboveTheNumbers() {
    List<Mechanism> mixed =
        List.of(
            new SubsampledGaussian(NoiseMultiplier.of(2), 0.3, 1, 20),
            new PureDp(Epsilon.of(0.05), 10),
            new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-7), 3));
    GaussianCap cap = GaussianCap.of(mixed);
    assertThat(cap.infinite()).isBetween(3e-7, 3e-7 * (1 + 1e-14));
    PldAccountant numbers = PldAccountant.of(mixed, Adjacency.ADD_REMOVE);
    assertThat(cap.epsilon(1e-5)).isGreaterThan(numbers.interval(DELTA).lower());
    assertThat(cap.epsilon(2e-7)).isInfinite();
    assertThat(cap.delta(Epsilon.of(1))).isGreaterThan(numbers.delta(Epsilon.of(1)).value());
    GaussianDp whole = GaussianDp.ofGaussian(NoiseMultiplier.of(3), 1, 8);
    GaussianCap sampled =
        GaussianCap.of(List.of(new SubsampledGaussian(NoiseMultiplier.of(3), 0.1, 1, 8)));
    assertThat(sampled.epsilon(1e-5)).isCloseTo(whole.epsilon(DELTA).value(), within(1e-13));
  }

  /** Each in a machine of its own with 96 MB for all its objects. */
  @Thorough
  @ParameterizedTest
  @CsvSource({
    "0.1, 0.5, 1000, 1e-300",
    "1, 0.01, 1000000000, 1e-5",
    "1000, 0.5, 1000000000, 1e-10",
    "1, 1e-5, 100000, 1e-5"
  })
  void noQuestion_needsMoreThanASmallHeap(String sigma, String q, String count, String delta)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                OneQuestion.class.getName(),
                sigma,
                q,
                count,
                delta)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    String[] words = said.trim().split(" ", -1);
    assertThat(Double.parseDouble(words[0])).isPositive().isFinite();
    // Resident at its highest; 0 where the system does not say.
    assertThat(Long.parseLong(words[1])).isLessThan(200_000);
  }
}
