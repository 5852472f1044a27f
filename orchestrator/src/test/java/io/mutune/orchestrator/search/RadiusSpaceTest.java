package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Mu;
import io.mutune.orchestrator.search.RadiusSpace.Decompose;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class RadiusSpaceTest {
  private static final Mu MU = Mu.of(0.06);

  @Property(tries = 500)
  void anyRadiusOfTheRange_isSplitWithinTheRangesAndKeptWhereItCanBe(
      @ForAll Decompose decompose,
      @ForAll Interval.Scale scale,
      @ForAll @DoubleRange(min = -9, max = 9) double logMin,
      @ForAll @DoubleRange(min = 0, max = 4) double decades,
      @ForAll @IntRange(min = 1, max = 2000) int minSteps,
      @ForAll @IntRange(min = 0, max = 2000) int moreSteps,
      @ForAll @DoubleRange(min = 0, max = 1) double share,
      @ForAll long seed) {
    Interval rates = new Interval(Math.pow(10, logMin), Math.pow(10, logMin + decades), scale);
    StepRange steps = new StepRange(minSteps, minSteps + moreSteps);
    RadiusSpace space = new RadiusSpace.ByRate(rates, steps, decompose);
    double radius = space.radii(Trials.SCALE, MU).at(share);

    List<Guard> guards = new ArrayList<>();
    TrialPoint point = space.split(radius, new SplittableRandom(seed), guards);

    assertThat(rates.contains(point.learningRate())).isTrue();
    assertThat(point.steps()).isBetween(steps.min(), steps.max());
    boolean canBeKept = false;
    for (int t = steps.min(); t <= steps.max() && !canBeKept; t++) {
      canBeKept = rates.contains(radius / t);
    }
    if (canBeKept) {
      assertThat(point.radius()).isCloseTo(radius, within(0.05 * radius * (1 + 1e-9)));
    }
    assertThat(guards).allMatch(guard -> guard.name().equals("decompose"));
    assertThat(space.split(radius, new SplittableRandom(seed), new ArrayList<>())).isEqualTo(point);
  }

  @Property(tries = 200)
  void everyDraw_liesWithinTheRanges(
      @ForAll Interval.Scale scale,
      @ForAll @DoubleRange(min = 0.01, max = 10) double min,
      @ForAll @DoubleRange(min = 1, max = 100) double ratio,
      @ForAll @IntRange(min = 1, max = 50) int minSteps,
      @ForAll long seed) {
    Interval range = new Interval(min, min * ratio, scale);
    StepRange steps = new StepRange(minSteps, 50);
    SplittableRandom random = new SplittableRandom(seed);
    for (RadiusSpace space :
        List.of(
            new RadiusSpace.ByRate(range, steps, Decompose.INDEPENDENT),
            new RadiusSpace.ByRadius(range, steps),
            new RadiusSpace.ByLogitNoise(range, steps))) {
      TrialPoint point = space.draw(random, Trials.SCALE, MU);

      assertThat(point.steps()).isBetween(steps.min(), steps.max());
      Interval radii = space.radii(Trials.SCALE, MU);
      // r/T·T is rounded twice.
      assertThat(point.radius()).isBetween(radii.min() * (1 - 1e-12), radii.max() * (1 + 1e-12));
    }
  }

  @Example
  void aRadiusThatNoDrawMeets_isSplitByStepsAloneAndReported() {
    // Five steps at 1 or ten at 1: a radius of 7 is more than 5% from 5, 6, 8, 9 and 10 and meets
    // only seven steps; at rates this far apart a draw within 5% is rarer than one in 10 000.
    RadiusSpace space =
        new RadiusSpace.ByRate(
            new Interval(1e-9, 1e9, Interval.Scale.LINEAR),
            new StepRange(5, 10),
            Decompose.SAMPLE_BOTH);
    List<Guard> guards = new ArrayList<>();

    TrialPoint point = space.split(7, new SplittableRandom(3), guards);

    assertThat(point.radius()).isCloseTo(7, within(1e-9));
    assertThat(guards).extracting(Guard::name).containsExactly("decompose");
  }

  @Example
  void aRangeOfOnePoint_isThatPoint() {
    RadiusSpace space =
        new RadiusSpace.ByRate(
            new Interval(0.3, 0.3, Interval.Scale.LOG), new StepRange(7, 7), Decompose.SAMPLE_BOTH);
    Interval radii = space.radii(Trials.SCALE, MU);

    assertThat(radii.min()).isEqualTo(radii.max());
    assertThat(space.split(radii.min(), new SplittableRandom(1), new ArrayList<>()))
        .isEqualTo(new TrialPoint(0.3, 7));
    assertThat(space.draw(new SplittableRandom(1), Trials.SCALE, MU))
        .isEqualTo(new TrialPoint(0.3, 7));
  }

  @Example
  void aRangeOverMostOfTheDoubles_isSpreadByItsLogarithm() {
    Interval range = new Interval(1e-300, 1e300, Interval.Scale.LOG);

    assertThat(range.at(0.5)).isCloseTo(1, within(1e-9));
    assertThat(range.at(0)).isBetween(1e-300, 1.0000001e-300);
    assertThat(range.at(1)).isBetween(0.9999999e300, 1e300);
  }

  @Example
  void aLogRange_hasItsGeometricMeanInTheMiddleAndALinearOneItsMean() {
    assertThat(new Interval(1, 100, Interval.Scale.LOG).at(0.5)).isCloseTo(10, within(1e-12));
    assertThat(new Interval(1, 100, Interval.Scale.LINEAR).at(0.5)).isEqualTo(50.5);
  }
}
