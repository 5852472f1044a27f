package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Trials.DELTA;
import static io.mutune.orchestrator.search.Trials.SCALE;
import static io.mutune.orchestrator.search.Trials.mu;
import static io.mutune.orchestrator.search.Trials.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Epsilon;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;

class ScaleFreeTest {
  private static final int STEPS = 100;

  /** Of every score: that of half a percent of 10000 rows. */
  private static final double DEVIATION = 0.005;

  private static ScaleFree strategy(int trials) {
    return new ScaleFree(
        ScaleFree.DEFAULT_RANGE, STEPS, List.of(new SweepRound(Epsilon.of(0.2), trials)));
  }

  private static List<ScoredTrial> scored(ScaleFree strategy, double... scores) {
    return scoredWithin(DEVIATION, strategy, scores);
  }

  private static List<ScoredTrial> scoredWithin(
      double deviation, ScaleFree strategy, double... scores) {
    List<ScoredTrial> trials = new ArrayList<>();
    for (PlannedTrial trial : strategy.trials(SCALE, DELTA)) {
      OptionalDouble score = OptionalDouble.of(scores[trial.number() - 1]);
      trials.add(new ScoredTrial(trial, score, deviation));
    }
    return trials;
  }

  private static double chosen(Decision decision) {
    return SCALE.logitNoise(decision.point().radius(), mu(0.8));
  }

  private static double decide(double... scores) {
    ScaleFree strategy = strategy(scores.length);
    return chosen(strategy.decide(scored(strategy, scores), target(0.8), SCALE));
  }

  @Example
  void trials_standInTheMiddleOfEqualPartsOfTheLogRange() {
    List<PlannedTrial> trials = strategy(3).trials(SCALE, DELTA);

    assertThat(trials)
        .extracting(t -> Math.log10(SCALE.logitNoise(t.point().radius(), t.mu())))
        .satisfiesExactly(
            low -> assertThat(low).isCloseTo(-2 / 3.0, within(1e-12)),
            middle -> assertThat(middle).isCloseTo(0, within(1e-12)),
            high -> assertThat(high).isCloseTo(2 / 3.0, within(1e-12)));
    assertThat(trials).extracting(t -> t.point().steps()).containsOnly(STEPS);
    assertThat(trials).extracting(PlannedTrial::mu).containsOnly(mu(0.2));
  }

  @Property(tries = 200)
  void theChoice_isTheBestOfTheCurve(
      @ForAll @Size(min = 1, max = 6) List<@DoubleRange(min = 0, max = 1) Double> scores) {
    double[] values = scores.stream().mapToDouble(Double::doubleValue).toArray();
    ScaleFree strategy = strategy(values.length);

    Decision decision = strategy.decide(scored(strategy, values), target(0.8), SCALE);

    List<Fit.Point> curve = decision.fit().orElseThrow().curve();
    Fit.Point best = curve.stream().max(Comparator.comparingDouble(Fit.Point::y)).orElseThrow();
    assertThat(chosen(decision)).isCloseTo(best.x(), withinPercentage(1e-9));
  }

  @Example
  void preciseScores_areFollowedWithinTheRange() {
    RunScale manyRows = new RunScale(1, 1, 0.9, 60_000, 100);
    Interval range = new Interval(1.5, 8, Interval.Scale.LOG);
    ScaleFree strategy = new ScaleFree(range, STEPS, List.of(new SweepRound(Epsilon.of(0.2), 3)));
    double[] scores = {0.8500, 0.8583, 0.8480};
    List<ScoredTrial> trials = new ArrayList<>();
    for (PlannedTrial trial : strategy.trials(manyRows, DELTA)) {
      trials.add(new ScoredTrial(trial, OptionalDouble.of(scores[trial.number() - 1]), 0.0011));
    }

    Decision decision = strategy.decide(trials, target(2.7), manyRows);

    // Trials of ν 1.98, 3.46 and 6.05, each within 0.0022.
    assertThat(manyRows.logitNoise(decision.point().radius(), mu(2.7))).isBetween(2.6, 4.6);
  }

  @Example
  void vagueScores_leaveTheChoiceNearThePrior() {
    ScaleFree strategy = strategy(3);

    List<ScoredTrial> vague = scoredWithin(0.3, strategy, 0.6, 0.6, 0.7);

    assertThat(chosen(strategy.decide(vague, target(0.8), SCALE))).isBetween(0.9, 1.3);
  }

  @Example
  void theCurve_comesWithItsPriorAndItsDeviation() {
    ScaleFree strategy = strategy(3);

    Fit fit =
        strategy.decide(scored(strategy, 0.7, 0.8, 0.7), target(0.8), SCALE).fit().orElseThrow();

    Fit.Posterior posterior = fit.posterior().orElseThrow();
    assertThat(posterior.deviation()).hasSameSizeAs(fit.curve()).allMatch(d -> d > 0 && d < 0.1);
    assertThat(posterior.prior()).hasSameSizeAs(fit.curve());
  }

  @Example
  void aClearWinner_drawsTheChoiceToItself() {
    assertThat(decide(0.9, 0.5, 0.1)).isLessThan(0.3);
    assertThat(decide(0.1, 0.5, 0.9)).isGreaterThan(3);
    assertThat(decide(0.3, 0.9, 0.3)).isCloseTo(1, within(0.05));
  }

  @Example
  void equalScores_leaveTheChoiceToThePrior() {
    assertThat(decide(0.7, 0.7, 0.7)).isCloseTo(1, within(1e-9));
    assertThat(decide(0.2, 0.2)).isCloseTo(1, within(1e-9));
  }

  @Example
  void aMirroredTie_isDecidedTheSameEveryTime() {
    double first = decide(0.9, 0.1, 0.9);

    assertThat(decide(0.9, 0.1, 0.9)).isEqualTo(first);
  }

  @Example
  void withoutAnyScore_thePriorAloneDecidesAndTheLossIsReported() {
    ScaleFree strategy = strategy(3);
    List<ScoredTrial> lost =
        strategy.trials(SCALE, DELTA).stream()
            .map(trial -> new ScoredTrial(trial, OptionalDouble.empty(), 0))
            .toList();

    Decision decision = strategy.decide(lost, target(0.8), SCALE);

    assertThat(chosen(decision)).isCloseTo(1, within(1e-9));
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("lost-score");
    assertThat(decision.guards().get(0).action()).startsWith("3 of 3 trials");
  }

  @Example
  void aScoreThatIsNoNumber_isLost() {
    ScaleFree strategy = strategy(3);

    Decision decision = strategy.decide(scored(strategy, 0.9, Double.NaN, 0.1), target(0.8), SCALE);

    assertThat(chosen(decision)).isLessThan(1);
    assertThat(decision.fit().orElseThrow().points()).hasSize(2);
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("lost-score");
  }

  @Example
  void scoresThatNoiseTookOutOfRange_countAsItsEnds() {
    assertThat(decide(1000, 0.9, 0.1)).isEqualTo(decide(1, 0.9, 0.1));
    assertThat(decide(0.8, 0.9, -1000)).isEqualTo(decide(0.8, 0.9, 0));
  }

  @Example
  void aRangeWithoutOne_isSearchedToItsNearestEnd() {
    Interval range = new Interval(2, 10, Interval.Scale.LOG);
    ScaleFree strategy = new ScaleFree(range, STEPS, List.of(new SweepRound(Epsilon.of(0.2), 2)));

    assertThat(chosen(strategy.decide(scored(strategy, 0.5, 0.5), target(0.8), SCALE)))
        .isCloseTo(2, within(1e-9));
  }

  @Example
  void aRangeOfOnePoint_isThatPoint() {
    Interval range = new Interval(3, 3, Interval.Scale.LOG);
    ScaleFree strategy = new ScaleFree(range, STEPS, List.of(new SweepRound(Epsilon.of(0.2), 2)));

    assertThat(chosen(strategy.decide(scored(strategy, 0.1, 0.9), target(0.8), SCALE)))
        .isCloseTo(3, within(1e-9));
  }

  @Example
  void aNarrowRangeFarFromItsTrials_stillHasAFiniteCurve() {
    RunScale stiff = new RunScale(1, 1, 0.9, 1_000_000_000_000L, 1);
    ScaleFree strategy = strategy(3);
    List<ScoredTrial> trials =
        strategy.trials(stiff, DELTA).stream()
            .map(trial -> new ScoredTrial(trial, OptionalDouble.of(0.5), 0))
            .toList();

    Decision decision = strategy.decide(trials, target(0.8), stiff);

    // Every trial ran at the limit, at a ν that is far below the range.
    assertThat(trials).extracting(t -> t.trial().point().learningRate()).containsOnly(15.0);
    assertThat(decision.fit().orElseThrow().curve()).allMatch(point -> Double.isFinite(point.y()));
    assertThat(decision.point().learningRate()).isEqualTo(15);
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("stability");
  }

  @Example
  void aRateOverTheStableLimit_isCutAndReported() {
    RunScale manyRows = new RunScale(1, 1, 0.9, 1_000_000, 10);
    ScaleFree strategy = new ScaleFree(ScaleFree.DEFAULT_RANGE, 10, List.of());

    Decision decision = strategy.decide(List.of(), target(0.8), manyRows);

    assertThat(decision.point()).isEqualTo(new TrialPoint(38, 10));
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("stability");
    assertThat(decision.guards().get(0).action()).contains("cut to the stable 38.00");
  }
}
