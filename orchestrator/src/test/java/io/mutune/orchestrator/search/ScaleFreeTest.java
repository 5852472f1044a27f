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
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleFreeTest {
  private static final int STEPS = 100;

  /** Of every score: that of half a percent of 10000 rows. */
  private static final double DEVIATION = 0.005;

  private static ScaleFree strategy(int trials) {
    return new ScaleFree(
        RunScale.USUAL_NOISE, STEPS, List.of(new SweepRound(Epsilon.of(0.2), trials)));
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
        .extracting(t -> Math.log(SCALE.logitNoise(t.point().radius(), t.mu()) / 0.2))
        .satisfiesExactly(
            low -> assertThat(low).isCloseTo(Math.log(40) / 6, within(1e-12)),
            middle -> assertThat(middle).isCloseTo(Math.log(40) / 2, within(1e-12)),
            high -> assertThat(high).isCloseTo(Math.log(40) * 5 / 6, within(1e-12)));
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
    RunScale manyRows = Trials.scale(60_000, 100);
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

  /**
   * Curves that the prior does not know: a top where it has none, and sides that differ. What is
   * chosen is on average no worse than the trial of the best score, by more than the standard error
   * of that average; with 400, scores are pooled. Seeded, so that it fails always or never.
   */
  @ParameterizedTest
  @CsvSource({
    "-1.5, 0.01, 10",
    "-1.5, 0.01, 30",
    "-1.5, 0.01, 100",
    "-1.5, 0.01, 400",
    "1.8, 0.004, 10",
    "1.8, 0.004, 30",
    "1.8, 0.004, 100",
    "1.8, 0.004, 400",
    "0.2, 0.03, 10",
    "0.2, 0.03, 30",
    "0.2, 0.03, 100",
    "0.2, 0.03, 400"
  })
  void manyTrials_areNoWorseThanTheBestOfThem(double top, double noise, int trials) {
    DoubleUnaryOperator curve = x -> 0.8 - 0.012 * Math.pow(x - top, 2) * (x > top ? 1.5 : 0.7);
    ScaleFree strategy = strategy(trials);
    Random random = new Random(trials);
    List<PlannedTrial> planned = strategy.trials(SCALE, DELTA);
    double training = ScorePosterior.TRAINING / Math.sqrt(mu(0.2).value() * SCALE.rows());
    DescriptiveStatistics better = new DescriptiveStatistics();
    for (int repeat = 0; repeat < 40; repeat++) {
      List<ScoredTrial> scored = new ArrayList<>();
      double most = Double.NEGATIVE_INFINITY;
      double atMost = 0;
      for (PlannedTrial trial : planned) {
        double value =
            curve.applyAsDouble(Math.log(SCALE.logitNoise(trial.point().radius(), trial.mu())));
        double score = value + Math.hypot(noise, training) * random.nextGaussian();
        scored.add(new ScoredTrial(trial, OptionalDouble.of(score), noise));
        if (score > most) {
          most = score;
          atMost = value;
        }
      }
      Decision decision = strategy.decide(scored, target(0.2), SCALE);
      double nu = SCALE.logitNoise(decision.point().radius(), mu(0.2));
      better.addValue(curve.applyAsDouble(Math.log(nu)) - atMost);
    }
    assertThat(better.getMean()).isGreaterThan(-better.getStandardDeviation() / Math.sqrt(40));
  }

  @Example
  void vagueScores_leaveTheChoiceNearThePrior() {
    ScaleFree strategy = strategy(3);

    List<ScoredTrial> vague = scoredWithin(0.3, strategy, 0.6, 0.6, 0.7);

    assertThat(chosen(strategy.decide(vague, target(0.8), SCALE))).isBetween(1.4, 2.0);
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
    assertThat(decide(0.9, 0.5, 0.1)).isLessThan(0.4);
    assertThat(decide(0.1, 0.5, 0.9)).isGreaterThan(4);
    double middle = Math.sqrt(0.2 * 8) * usual(0.8) / usual(0.2);
    assertThat(decide(0.3, 0.9, 0.3)).isCloseTo(middle, within(0.05));
  }

  /** What a run of this ε has for the best ν before any score: the top of a parabola in ln ν. */
  private static double usual(double epsilon) {
    ScorePosterior scores = new ScorePosterior(mu(epsilon).value() * SCALE.rows(), List.of());
    double low = scores.prior(-1);
    double high = scores.prior(1);
    return Math.exp((high - low) / 2 / (2 * scores.prior(0) - high - low));
  }

  /** For a final run that costs what its trials did, which stand around the usual ν. */
  private static double decideAsDear(double... scores) {
    Interval around = new Interval(usual(0.2) / 5, usual(0.2) * 5, Interval.Scale.LOG);
    ScaleFree strategy =
        new ScaleFree(around, STEPS, List.of(new SweepRound(Epsilon.of(0.2), scores.length)));
    Decision decision = strategy.decide(scored(strategy, scores), target(0.2), SCALE);
    return SCALE.logitNoise(decision.point().radius(), mu(0.2));
  }

  @Example
  void equalScores_leaveTheChoiceToThePrior() {
    assertThat(decideAsDear(0.7, 0.7, 0.7)).isCloseTo(usual(0.2), within(1e-9));
    assertThat(decideAsDear(0.2, 0.2)).isCloseTo(usual(0.2), within(1e-9));
  }

  /** A curve that is flatter at a larger μ has its top farther from where the prior has it. */
  @Example
  void aDearerFinalRun_goesFartherWhereTrialsPoint() {
    double asDear = decideAsDear(0.70, 0.71, 0.71);

    assertThat(asDear).isGreaterThan(usual(0.2));
    assertThat(decide(0.70, 0.71, 0.71)).isGreaterThan(1.1 * asDear);
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

    assertThat(chosen(decision)).isCloseTo(usual(0.8), withinPercentage(1));
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

    assertThat(chosen(strategy.decide(scored(strategy, 0.5, 0.4), target(0.8), SCALE)))
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
    RunScale stiff = Trials.scale(1_000_000_000_000L, 1);
    ScaleFree strategy = strategy(3);
    List<ScoredTrial> trials =
        strategy.trials(stiff, DELTA).stream()
            .map(trial -> new ScoredTrial(trial, OptionalDouble.of(0.5), 0))
            .toList();

    Decision decision = strategy.decide(trials, target(0.8), stiff);

    // Every trial ran at the limit, at a ν that is far below the range.
    assertThat(trials).extracting(t -> t.trial().point().learningRate()).containsOnly(30.0);
    assertThat(decision.fit().orElseThrow().curve()).allMatch(point -> Double.isFinite(point.y()));
    assertThat(decision.point().learningRate()).isEqualTo(30);
    assertThat(decision.guards()).extracting(Guard::name).containsOnly("stability");
    assertThat(decision.guards().get(0).action())
        .startsWith("3 of 3 trials ran at the largest stable learning rate, 30.00");
  }

  /** The limit of zero weights is 38; at 100 steps twice that is allowed, at ten it is not. */
  @Example
  void longRuns_mayPassTheLimitOfZeroWeights() {
    RunScale manyRows = Trials.scale(1_000_000, 10);
    ScaleFree strategy = new ScaleFree(RunScale.USUAL_NOISE, 100, List.of());

    assertThat(strategy.decide(List.of(), target(0.8), manyRows).point())
        .isEqualTo(new TrialPoint(76, 100));
  }

  @Example
  void aRateOverTheStableLimit_isCutAndReported() {
    RunScale manyRows = Trials.scale(1_000_000, 10);
    ScaleFree strategy = new ScaleFree(RunScale.USUAL_NOISE, 10, List.of());

    Decision decision = strategy.decide(List.of(), target(0.8), manyRows);

    assertThat(decision.point()).isEqualTo(new TrialPoint(38, 10));
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("stability");
    assertThat(decision.guards().get(0).action()).contains("cut to the stable 38.00");
  }
}
