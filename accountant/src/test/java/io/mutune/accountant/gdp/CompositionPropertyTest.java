package io.mutune.accountant.gdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Composition, what remains and calibration, each checked by exact decimals. */
class CompositionPropertyTest {
  @Provide
  Arbitrary<GaussianDp> losses() {
    return Arbitraries.doubles()
        .between(-12, 6)
        .ofScale(6)
        .map(x -> GaussianDp.of(Mu.of(Math.pow(10, x))));
  }

  private static BigDecimal square(GaussianDp dp) {
    return new BigDecimal(dp.mu().value()).pow(2);
  }

  private static GaussianDp below(GaussianDp dp) {
    return GaussianDp.of(Mu.of(Math.nextDown(dp.mu().value())));
  }

  private static GaussianDp above(GaussianDp dp) {
    return GaussianDp.of(Mu.of(Math.nextUp(dp.mu().value())));
  }

  @Property
  void composition_isTheSmallestDoubleThatCoversTheSumOfSquares(
      @ForAll @Size(min = 1, max = 20) List<@From("losses") GaussianDp> parts) {
    BigDecimal sum =
        parts.stream()
            .map(CompositionPropertyTest::square)
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    GaussianDp total = GaussianDp.compose(parts);
    assertThat(square(total)).isGreaterThanOrEqualTo(sum);
    assertThat(square(below(total))).isLessThan(sum);
  }

  @Property
  void composition_doesNotDependOnTheOrder(
      @ForAll @Size(max = 20) List<@From("losses") GaussianDp> parts, @ForAll Random random) {
    List<GaussianDp> shuffled = new ArrayList<>(parts);
    Collections.shuffle(shuffled, random);
    assertThat(GaussianDp.compose(shuffled)).isEqualTo(GaussianDp.compose(parts));
  }

  @Property
  void oneAlone_composesToItself(@ForAll("losses") GaussianDp one) {
    assertThat(GaussianDp.compose(List.of(one))).isEqualTo(one);
  }

  @Property
  void whatRemains_isTheMostThatComposesToNoMoreThanTheWhole(
      @ForAll("losses") GaussianDp one, @ForAll("losses") GaussianDp other) {
    GaussianDp whole = one.mu().value() > other.mu().value() ? one : other;
    GaussianDp spent = whole.equals(one) ? other : one;
    GaussianDp left = whole.remaining(spent).orElseThrow();
    assertThat(GaussianDp.compose(List.of(spent, left)).mu().value())
        .isLessThanOrEqualTo(whole.mu().value());
    assertThat(square(above(left)).add(square(spent))).isGreaterThan(square(whole));
  }

  @Property
  void calibratedNoise_isTheSmallestThatKeepsTheBudget(
      @ForAll("losses") GaussianDp budget,
      @ForAll("losses") GaussianDp sensitivityLike,
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long count) {
    double sensitivity = sensitivityLike.mu().value();
    NoiseMultiplier sigma = Calibration.noise(budget.mu(), sensitivity, count);
    NoiseMultiplier less = NoiseMultiplier.of(Math.nextDown(sigma.value()));
    double mu = budget.mu().value();
    assertThat(GaussianDp.ofGaussian(sigma, sensitivity, count).mu().value())
        .isLessThanOrEqualTo(mu);
    assertThat(GaussianDp.ofGaussian(less, sensitivity, count).mu().value()).isGreaterThan(mu);
  }
}
