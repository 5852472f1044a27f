package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Lines.EXACT;
import static io.mutune.orchestrator.search.Lines.OFF;
import static io.mutune.orchestrator.search.Lines.ON;
import static io.mutune.orchestrator.search.Lines.SPACE;
import static io.mutune.orchestrator.search.Lines.decide;
import static io.mutune.orchestrator.search.Lines.names;
import static io.mutune.orchestrator.search.Lines.strategy;
import static io.mutune.orchestrator.search.Trials.DELTA;
import static io.mutune.orchestrator.search.Trials.SCALE;
import static io.mutune.orchestrator.search.Trials.mu;
import static io.mutune.orchestrator.search.Trials.target;
import static io.mutune.orchestrator.search.Trials.trial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.search.LinearScaling.Axis;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What each guard does, and what the rule to the letter does without. */
class LinearScalingGuardsTest {
  /** μ·n of the trials is 42 and 80 on 1300 rows: what scored best there is chance. */
  @Test
  void trialsThatSayNextToNothing_areGivenUpForTheUsualNu() {
    RunScale few = Trials.scale(1300, 10);
    ScoredTrial[] trials = {trial(1, 1, 0.1, 900, 0.5), trial(2, 2, 0.2, 2, 0.5)};

    Decision on = strategy(2, 1, Axis.MU, ON).decide(List.of(trials), target(0.8), few);
    Decision off = strategy(2, 1, Axis.MU, OFF).decide(List.of(trials), target(0.8), few);

    assertThat(names(on)).contains("weak-trials");
    assertThat(few.logitNoise(on.point().radius(), mu(0.8))).isCloseTo(1, EXACT);
    assertThat(names(off)).doesNotContain("weak-trials");
    assertThat(on.guards().get(on.guards().size() - 1).action()).contains("is 80 at most");
  }

  /** What the cheap runs should have lies below the range, so that the line is flat. */
  @Test
  void aFitFarBelowTheBestTrials_isCutToHalfTheirNoise_withGuardsAlone() {
    RadiusSpace large =
        new RadiusSpace.ByRadius(
            new Interval(100, 1000, Interval.Scale.LOG), new StepRange(10, 10));
    List<SweepRound> rounds = strategy(2, 1, Axis.MU, ON).rounds();
    List<ScoredTrial> trials = List.of(trial(1, 1, 0.1, 110, 0.5), trial(2, 2, 0.2, 111, 0.5));

    Decision on =
        new LinearScaling(large, rounds, 1, Axis.MU, ON, 1).decide(trials, target(0.8), SCALE);
    Decision off =
        new LinearScaling(large, rounds, 1, Axis.MU, OFF, 1).decide(trials, target(0.8), SCALE);

    double least = SCALE.logitNoise(100, mu(0.2));
    double nu = SCALE.logitNoise(on.point().radius(), mu(0.8));
    assertThat(nu).isCloseTo(least / 2, EXACT);
    assertThat(on.guards()).extracting(Guard::name).containsExactly("logit-noise");
    assertThat(off.point().radius()).isBetween(111.0, 120.0);
    assertThat(off.guards()).isEmpty();
  }

  @Test
  void withGuards_eachTrialOfASweepHasItsPartOfTheUsualNoise() {
    RadiusSpace wide =
        new RadiusSpace.ByRate(
            new Interval(0.001, 100, Interval.Scale.LOG),
            new StepRange(5, 50),
            RadiusSpace.Decompose.SAMPLE_BOTH);
    List<SweepRound> rounds =
        List.of(new SweepRound(Epsilon.of(0.1), 3), new SweepRound(Epsilon.of(0.2), 3));
    LinearScaling guarded = new LinearScaling(wide, rounds, 1, Axis.MU, true, 4);

    List<PlannedTrial> trials = guarded.trials(Trials.SCALE, Trials.DELTA);

    for (PlannedTrial trial : trials) {
      double nu = Trials.SCALE.logitNoise(trial.point().radius(), trial.mu());
      double part = Math.log(nu / 0.2) / Math.log(40) * 3;
      // A bound of a part may round to either side of it.
      assertThat(part)
          .isBetween((trial.number() - 1) % 3 - 1e-9, (trial.number() - 1) % 3 + 1 + 1e-9);
    }
  }

  @Test
  void aNegativeSlope_isReplacedByTheLineThroughTheOriginAndReported() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, ON), trial(1, 1, 0.1, 25, 0.5), trial(2, 2, 0.2, 10, 0.5));

    // (0.1·25 + 0.2·10) / (0.01 + 0.04) = 90
    assertThat(decision.point().radius()).isCloseTo(90 * 0.8, EXACT);
    assertThat(names(decision)).containsExactly("negative-slope");
    assertThat(decision.guards().get(0).action()).contains("-150");
    assertThat(decision.fit().orElseThrow().coefficients().get(0)).isZero();
  }

  @Test
  void guardsOff_followANegativeSlopeToTheLetter() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, OFF),
            trial(1, 1, 0.1, 250, 0.5),
            trial(2, 2, 0.2, 240, 0.5));

    assertThat(decision.point().radius()).isCloseTo(180, EXACT);
    assertThat(decision.guards()).isEmpty();
  }

  @Test
  void aRadiusOutOfRange_isTakenAtTheEndOfItWithGuardsOnAndOff() {
    for (boolean guards : new boolean[] {ON, OFF}) {
      Decision above =
          decide(
              strategy(2, 1, Axis.EPSILON, guards),
              trial(1, 1, 0.1, 1, 0.5),
              trial(2, 2, 0.2, 900, 0.5));

      assertThat(above.point().radius()).isCloseTo(1000, EXACT);
      assertThat(names(above)).containsExactly("out-of-range");
      assertThat(above.guards().get(0).action()).contains("6294", "1.000 to 1000");
    }
    Decision below =
        decide(
            strategy(2, 1, Axis.EPSILON, OFF),
            trial(1, 1, 0.1, 250, 0.5),
            trial(2, 2, 0.2, 150, 0.5));
    assertThat(below.point().radius()).isCloseTo(1, EXACT);
    assertThat(names(below)).containsExactly("out-of-range");
  }

  @Test
  void aRoundWithoutAScore_isLeftOutAndReported() {
    Decision decision =
        decide(
            strategy(3, 1, Axis.EPSILON, OFF),
            trial(1, 1, 0.1, 10, 0.5),
            trial(2, 2, 0.2, 99, OptionalDouble.empty()),
            trial(3, 3, 0.3, 40, 0.5));

    assertThat(decision.point().radius()).isCloseTo(115, EXACT);
    assertThat(names(decision)).containsExactly("lost-score");
  }

  @Test
  void tooFewPoints_giveTheLineThroughTheOriginWithGuardsOn() {
    Decision decision =
        decide(
            strategy(2, 1, Axis.EPSILON, ON),
            trial(1, 1, 0.1, 10, OptionalDouble.empty()),
            trial(2, 2, 0.2, 25, 0.5));

    assertThat(decision.point().radius()).isCloseTo(100, EXACT);
    assertThat(names(decision)).containsExactly("lost-score", "too-few-points");
  }

  @Test
  void tooFewPoints_failWithGuardsOff() {
    assertThatExceptionOfType(SearchFailedException.class)
        .isThrownBy(
            () ->
                decide(
                    strategy(2, 1, Axis.EPSILON, OFF),
                    trial(1, 1, 0.1, 10, OptionalDouble.empty()),
                    trial(2, 2, 0.2, 25, 0.5)))
        .withMessageContaining("needs scores in 2 sweeps")
        .withMessageContaining("1 had any");
  }

  @Test
  void noScoreAtAll_failsWithGuardsOnToo() {
    assertThatExceptionOfType(SearchFailedException.class)
        .isThrownBy(
            () ->
                decide(
                    strategy(2, 1, Axis.EPSILON, ON),
                    trial(1, 1, 0.1, 10, OptionalDouble.empty()),
                    trial(2, 2, 0.2, 25, Double.NaN)));
  }

  /** 30 in a step is stable here and 60 is not: 3.8 a logit. */
  private static final RunScale SIXTEEN = Trials.scale(10_000, 8);

  private static final LinearScaling FAST =
      new LinearScaling(
          new RadiusSpace.ByRate(
              new Interval(20, 2000, Interval.Scale.LOG),
              new StepRange(1, 40),
              RadiusSpace.Decompose.SAMPLE_BOTH),
          List.of(new SweepRound(Epsilon.of(0.5), 3), new SweepRound(Epsilon.of(0.7), 3)),
          1,
          Axis.MU,
          ON,
          2);

  @Test
  void aRateThatWouldOscillate_isSpreadOverMoreStepsOrCut_withGuardsAlone() {
    double limit = SIXTEEN.largestStableLearningRate();
    LinearScaling letter =
        new LinearScaling(FAST.space(), FAST.rounds(), 1, Axis.MU, OFF, FAST.seed());

    assertThat(FAST.trials(SIXTEEN, DELTA))
        .allSatisfy(t -> assertThat(t.point().learningRate()).isLessThanOrEqualTo(limit));
    assertThat(letter.trials(SIXTEEN, DELTA))
        .anySatisfy(t -> assertThat(t.point().learningRate()).isGreaterThan(limit));
    Decision far =
        FAST.decide(
            List.of(
                trial(1, 1, 0.5, 200, 0.3),
                trial(2, 1, 0.5, 1300, 0.9),
                trial(3, 2, 0.7, 300, 0.3),
                trial(4, 2, 0.7, 1800, 0.9)),
            target(0.8),
            SIXTEEN);
    assertThat(far.point().learningRate()).isEqualTo(limit);
    assertThat(far.point().steps()).isEqualTo(40);
    assertThat(names(far)).contains("stability");
  }

  @Test
  void withoutTrials_allOfTheBudgetGoesToTheUsualNu_andThatIsReported() {
    LinearScaling none = new LinearScaling(SPACE, List.of(), 1, Axis.MU, ON, 1);

    Decision decision = none.decide(List.of(), target(0.8), SCALE);

    assertThat(none.scores()).isFalse();
    assertThat(none.trials(SCALE, DELTA)).isEmpty();
    assertThat(SCALE.logitNoise(decision.point().radius(), mu(0.8))).isCloseTo(1, EXACT);
    assertThat(names(decision)).containsExactly("weak-trials");
    assertThat(decision.fit()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LinearScaling(SPACE, List.of(), 1, Axis.MU, OFF, 1));
  }
}
