package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class RunScaleTest {
  /** ν = r·C/((1 − β)·μ·n), notes on the method. */
  @Example
  void logitNoise_isTheFormulaOfTheNotes() {
    RunScale scale = new RunScale(1, 0.5, 0.75, 2000, 3, 11.4, true);

    // 40 · 0.5 / (0.25 · 0.1 · 2000)
    assertThat(scale.logitNoise(40, Mu.of(0.1))).isCloseTo(0.4, within(1e-12));
  }

  @Example
  void replacingARow_doublesTheNoise() {
    double once = Trials.scale(1000, 3).logitNoise(7, Mu.of(0.2));

    RunScale twice = new RunScale(2, 1, 0.9, 1000, 3, 11.4, true);
    assertThat(twice.logitNoise(7, Mu.of(0.2))).isEqualTo(2 * once);
  }

  @Property(tries = 200)
  void radius_undoesLogitNoise(
      @ForAll @DoubleRange(min = -3, max = 3) double logRadius,
      @ForAll @DoubleRange(min = -3, max = 1) double logMu,
      @ForAll @DoubleRange(min = 0, max = 0.99) double momentum) {
    RunScale scale = new RunScale(2, 0.3, momentum, 12_345, 3, 11.4, true);

    double radius = Math.pow(10, logRadius);
    Mu mu = Mu.of(Math.pow(10, logMu));

    double back = scale.radius(scale.logitNoise(radius, mu), mu);

    // One product and one quotient, each within half a unit of the last place.
    assertThat(back).isCloseTo(radius, within(1e-14 * radius));
  }

  @Example
  void aFixedPoint_isTakenAsGivenAndALogitNoiseByTheBudgetLeft() {
    RunScale scale = Trials.scale(10_000, 10);
    SearchStrategy.Target target = Trials.target(0.8);

    assertThat(decide(new Fixed.ByRate(99, 40), target, scale)).isEqualTo(new TrialPoint(99, 40));
    assertThat(decide(new Fixed.ByRadius(80, 40), target, scale)).isEqualTo(new TrialPoint(2, 40));
    TrialPoint point = decide(new Fixed.ByLogitNoise(1, 40), target, scale);
    assertThat(scale.logitNoise(point.radius(), target.mu())).isCloseTo(1, within(1e-12));
    assertThat(new Fixed(new Fixed.ByRate(99, 40)).trials(scale, Trials.DELTA)).isEmpty();
  }

  private static TrialPoint decide(
      Fixed.Point point, SearchStrategy.Target target, RunScale scale) {
    return new Fixed(point).decide(new ArrayList<>(List.of()), target, scale).point();
  }
}
