package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Lines.EXACT;
import static io.mutune.orchestrator.search.Lines.OFF;
import static io.mutune.orchestrator.search.Lines.ON;
import static io.mutune.orchestrator.search.Lines.PLAIN;
import static io.mutune.orchestrator.search.Lines.SPACE;
import static io.mutune.orchestrator.search.Lines.decide;
import static io.mutune.orchestrator.search.Lines.strategy;
import static io.mutune.orchestrator.search.Trials.DELTA;
import static io.mutune.orchestrator.search.Trials.SCALE;
import static io.mutune.orchestrator.search.Trials.mu;
import static io.mutune.orchestrator.search.Trials.target;
import static io.mutune.orchestrator.search.Trials.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.orchestrator.search.LinearScaling.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinearScalingTest {
  @Test
  void twoPoints_giveTheLineThroughThem() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, ON), trial(1, 1, 0.1, 10, 0.5), trial(2, 2, 0.2, 25, 0.5));

    // 150 ε − 5 at ε = 0.8
    assertThat(decision.point().radius()).isCloseTo(115, EXACT);
    Fit fit = decision.fit().orElseThrow();
    assertThat(fit.coefficients().get(0)).isCloseTo(-5, EXACT);
    assertThat(fit.coefficients().get(1)).isCloseTo(150, EXACT);
    assertThat(fit.axis()).isEqualTo("epsilon");
    assertThat(fit.points()).containsExactly(new Fit.Point(0.1, 10), new Fit.Point(0.2, 25));
    assertThat(decision.guards()).isEmpty();
  }

  @Test
  void theAxisIsMuUnlessItIsEpsilon() {
    Decision decision =
        decide(strategy(2, 1, Axis.MU, ON), trial(1, 1, 0.1, 10, 0.5), trial(2, 2, 0.2, 25, 0.5));

    double x1 = mu(0.1).value();
    double x2 = mu(0.2).value();
    double slope = 15 / (x2 - x1);
    assertThat(decision.point().radius()).isCloseTo(10 + slope * (mu(0.8).value() - x1), EXACT);
    assertThat(decision.fit().orElseThrow().axis()).isEqualTo("mu");
  }

  @Test
  void moreRounds_giveTheLeastSquaresLine() {
    double[] x = {0.1, 0.2, 0.3, 0.4};
    double[] y = {10, 35, 30, 60};

    Decision decision =
        decide(
            strategy(4, 1, Axis.EPSILON, ON),
            trial(1, 1, x[0], y[0], 0.5),
            trial(2, 2, x[1], y[1], 0.5),
            trial(3, 3, x[2], y[2], 0.5),
            trial(4, 4, x[3], y[3], 0.5));

    // Means 0.25 and 33.75; Sxy = 7.25, Sxx = 0.05.
    assertThat(decision.point().radius()).isCloseTo(33.75 + 145 * (0.8 - 0.25), EXACT);
  }

  @Test
  void degreeTwo_givesTheParabolaThroughThreePointsOfSmallMu() {
    double[] x = {mu(0.1).value(), mu(0.2).value(), mu(0.3).value()};
    ScoredTrial[] trials = new ScoredTrial[3];
    for (int i = 0; i < 3; i++) {
      trials[i] = trial(i + 1, i + 1, 0.1 * (i + 1), 2 + 30 * x[i] + 4000 * x[i] * x[i], 0.5);
    }

    Decision decision = decide(strategy(3, 2, Axis.MU, OFF), trials);

    double at = mu(0.8).value();
    assertThat(decision.point().radius()).isCloseTo(2 + 30 * at + 4000 * at * at, EXACT);
  }

  @Test
  void highDegreesOverSmallX_goThroughEveryPoint() {
    for (double unit : new double[] {1e-6, 0.03, 50}) {
      List<Fit.Point> points = new ArrayList<>();
      for (int i = 1; i <= 6; i++) {
        points.add(new Fit.Point(unit * i, 100 + 7 * Math.sin(i)));
      }

      var polynomial = PolynomialFit.of(points, 5).orElseThrow();

      // The powers' condition number is near 1e5, so eleven digits are left.
      for (Fit.Point p : points) {
        assertThat(polynomial.value(p.x())).isCloseTo(p.y(), within(1e-7));
      }
    }
  }

  @Test
  void pointsThatDoNotDetermineAFit_giveNone() {
    List<Fit.Point> same = List.of(new Fit.Point(0.1, 1), new Fit.Point(0.1, 2));

    assertThat(PolynomialFit.of(same, 1)).isEmpty();
  }

  /** One score of a tenth to either side says little, and rounds that agree on a ν say it. */
  @Test
  void withGuards_whatAllScoresSay_isTheBestOfARound() {
    List<ScoredTrial> trials = new ArrayList<>();
    double[] noises = {0.8, 1, 4};
    double[] scores = {0.79, 0.8, 0.81};
    double[] sure = {0.2, 0.5, 0.8};
    List<ScoredTrial> exact = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int round = 1 + i / 3;
      double radius = SCALE.radius(noises[i % 3], mu(0.1 * round));
      ScoredTrial trial = trial(i + 1, round, 0.1 * round, radius, scores[i % 3]);
      trials.add(new ScoredTrial(trial.trial(), trial.score(), 0.1));
      exact.add(trial(i + 1, round, 0.1 * round, radius, sure[i % 3]));
    }

    LinearScaling guarded = strategy(2, 1, Axis.MU, ON);
    assertThat(chosenNoises(guarded, trials)).allSatisfy(nu -> assertThat(nu).isBetween(0.5, 2.0));
    assertThat(chosenNoises(guarded, exact)).allSatisfy(nu -> assertThat(nu).isBetween(3.0, 8.0));
    assertThat(chosenNoises(strategy(2, 1, Axis.MU, OFF), trials)).containsExactly(4.0, 4.0);
  }

  /** A ν of 10 to 40 is beyond what is usual, and the scores still decide. */
  @Test
  void withGuards_aSpaceBeyondTheUsual_isSearched() {
    RadiusSpace far =
        new RadiusSpace.ByLogitNoise(
            new Interval(10, 40, Interval.Scale.LOG), new StepRange(10, 10));
    LinearScaling guarded =
        new LinearScaling(far, strategy(2, 1, Axis.MU, ON).rounds(), 1, Axis.MU, ON, 1);
    List<ScoredTrial> trials = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int round = 1 + i / 2;
      double radius = SCALE.radius(i % 2 == 0 ? 11 : 30, mu(0.1 * round));
      trials.add(trial(i + 1, round, 0.1 * round, radius, i % 2 == 0 ? 0.2 : 0.9));
    }

    assertThat(chosenNoises(guarded, trials))
        .allSatisfy(nu -> assertThat(nu).isBetween(20.0, 40.0));
  }

  /** ν of the point of each round. */
  private static List<Double> chosenNoises(LinearScaling strategy, List<ScoredTrial> trials) {
    Decision decision = strategy.decide(trials, target(0.8), SCALE);
    return decision.fit().orElseThrow().points().stream()
        .map(p -> Math.rint(1e9 * SCALE.logitNoise(p.y(), Mu.of(p.x()))) / 1e9)
        .toList();
  }

  @Test
  void theBestOfEachRound_isTheFirstOfTheHighestScores() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, OFF),
            trial(1, 1, 0.1, 99, 0.4),
            trial(2, 1, 0.1, 10, 0.5),
            trial(3, 1, 0.1, 88, 0.5),
            trial(4, 2, 0.2, 25, -0.1),
            trial(5, 2, 0.2, 77, -0.2));

    assertThat(decision.fit().orElseThrow().points())
        .containsExactly(new Fit.Point(0.1, 10), new Fit.Point(0.2, 25));
  }

  @Test
  void aScoreThatIsNoNumber_isLostAndNeverTheBest() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, ON),
            trial(1, 1, 0.1, 99, Double.NaN),
            trial(2, 1, 0.1, 10, 0.5),
            trial(3, 2, 0.2, 77, Double.POSITIVE_INFINITY),
            trial(4, 2, 0.2, 25, 0.1));

    assertThat(decision.fit().orElseThrow().points())
        .containsExactly(new Fit.Point(0.1, 10), new Fit.Point(0.2, 25));
  }

  @Test
  void theCurve_reachesFromTheOriginOverEveryPointToTheTarget() {
    Decision decision =
        strategy(2, 1, Axis.EPSILON, ON)
            .decide(
                List.of(trial(1, 1, 0.1, 10, 0.5), trial(2, 2, 0.2, 25, 0.5)), target(0.15), SCALE);

    List<Fit.Point> curve = decision.fit().orElseThrow().curve();
    assertThat(curve.get(0).x()).isZero();
    assertThat(curve.get(curve.size() - 1).x()).isEqualTo(0.2);
    assertThat(curve).extracting(Fit.Point::x).isSorted();
  }

  @Test
  void theSameSeed_drawsTheSameTrialsAndAnotherSeedOthers() {
    List<PlannedTrial> one = byRate(1).trials(SCALE, DELTA);

    assertThat(byRate(1).trials(SCALE, DELTA)).isEqualTo(one);
    assertThat(byRate(2).trials(SCALE, DELTA)).hasSameSizeAs(one).doesNotContainAnyElementsOf(one);
    assertThat(one).extracting(PlannedTrial::number).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(one).extracting(PlannedTrial::round).containsExactly(1, 1, 1, 2, 2, 2);
    assertThat(one).extracting(PlannedTrial::point).doesNotHaveDuplicates();
  }

  @Test
  void theSameScores_giveTheSameDecision() {
    List<ScoredTrial> trials = List.of(trial(1, 1, 0.1, 10, 0.5), trial(2, 2, 0.2, 25, 0.5));

    assertThat(byRate(1).decide(trials, target(0.8), SCALE))
        .isEqualTo(byRate(1).decide(trials, target(0.8), SCALE));
  }

  private static LinearScaling byRate(long seed) {
    RadiusSpace space =
        new RadiusSpace.ByRate(
            new Interval(0.01, 10, Interval.Scale.LOG),
            new StepRange(5, 200),
            RadiusSpace.Decompose.SAMPLE_BOTH);
    List<SweepRound> rounds =
        List.of(new SweepRound(Epsilon.of(0.1), 3), new SweepRound(Epsilon.of(0.2), 3));
    return new LinearScaling(space, rounds, 1, Axis.MU, true, seed);
  }

  /** r·C is what noise is in proportion to, so the line is for it and the final run splits it. */
  @Test
  void aSearchedClipNorm_makesTheRadiusJoint() {
    Interval clips = new Interval(0.5, 10, Interval.Scale.LOG);
    LinearScaling joint =
        new LinearScaling(
            new WithSettings(SPACE, Map.of("clipNorm", clips)),
            strategy(2, 1, Axis.EPSILON, ON).rounds(),
            1,
            Axis.EPSILON,
            ON,
            3);

    Decision decision =
        joint.decide(
            List.of(clipped(trial(1, 1, 0.1, 20, 0.5), 0.5), clipped(trial(2, 2, 0.2, 5, 0.5), 5)),
            target(0.8),
            PLAIN);

    // Through 10 and 25: 150 ε − 5 at 0.8, as of a radius alone.
    assertThat(decision.point().jointRadius()).isCloseTo(115, EXACT);
    assertThat(decision.point().settings()).containsOnlyKeys("clipNorm");
    assertThat(decision.point().radius()).isBetween(1.0, 1000.0);
    assertThat(decision.fit().orElseThrow().value()).isEqualTo("jointRadius");
    assertThat(decision.fit().orElseThrow().points())
        .containsExactly(new Fit.Point(0.1, 10), new Fit.Point(0.2, 25));
    assertThat(joint.trials(SCALE, DELTA))
        .allSatisfy(t -> assertThat(t.point().settings()).containsOnlyKeys("clipNorm"));
  }

  private static ScoredTrial clipped(ScoredTrial trial, double clipNorm) {
    PlannedTrial planned = trial.trial();
    return new ScoredTrial(
        new PlannedTrial(
            planned.number(),
            planned.round(),
            planned.epsilon(),
            planned.mu(),
            planned.point().with(Map.of("clipNorm", clipNorm))),
        trial.score(),
        0);
  }

  @Test
  void tooFewSweepsForTheDegree_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strategy(2, 2, Axis.MU, ON))
        .withMessageContaining("at least 3 sweeps");
  }
}
