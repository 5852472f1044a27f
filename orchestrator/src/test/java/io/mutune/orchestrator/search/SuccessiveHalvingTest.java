package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Trials.SCALE;
import static io.mutune.orchestrator.search.Trials.mu;
import static io.mutune.orchestrator.search.Trials.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Epsilon;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SuccessiveHalvingTest {
  private static final Interval RATES = new Interval(0.1, 10, Interval.Scale.LOG);
  private static final double LOST = Double.NaN;

  /** Of 6, 3 and 2 trials. */
  private static SuccessiveHalving search(RadiusSpace space) {
    return new SuccessiveHalving(
        new BestOf.Lattice(space, 6, 1),
        List.of(round(0.1, 6), round(0.2, 3), round(0.3, 2)),
        Optional.empty());
  }

  private static SuccessiveHalving overRates() {
    return search(
        new RadiusSpace.ByRate(RATES, new StepRange(10, 10), RadiusSpace.Decompose.INDEPENDENT));
  }

  private static SweepRound round(double epsilon, int trials) {
    return new SweepRound(Epsilon.of(epsilon), trials);
  }

  private static List<PlannedTrial> planned(SuccessiveHalving search) {
    return search.trials(SCALE, epsilon -> mu(epsilon.value()));
  }

  /** The first trials, ended with these scores. */
  private static List<ScoredTrial> ended(SuccessiveHalving search, double... scores) {
    List<ScoredTrial> ended = new ArrayList<>();
    for (int i = 0; i < scores.length; i++) {
      ended.add(new ScoredTrial(planned(search).get(i), OptionalDouble.of(scores[i]), 0));
    }
    return ended;
  }

  /** From which trial of the round before each later trial comes, as far as that is known. */
  private static List<Integer> from(SuccessiveHalving search, double... scores) {
    return search.placed(planned(search), ended(search, scores), SCALE).stream()
        .filter(trial -> trial.round() > 1 && trial.isPlaced())
        .map(trial -> trial.from().orElseThrow())
        .toList();
  }

  private static Decision decide(double... scores) {
    return overRates().decide(ended(overRates(), scores), target(0.5), SCALE);
  }

  private static double rate(int candidate) {
    return RATES.at(candidate / 5.0);
  }

  @Property
  void sizes_areTheCandidates_andThenAPartOfTheRoundBefore(
      @ForAll @IntRange(min = 2, max = 10_000) int candidates,
      @ForAll @IntRange(min = 2, max = 10_000) int factor) {
    List<Integer> sizes = SuccessiveHalving.sizes(candidates, factor);

    assertThat(sizes).first().isEqualTo(candidates);
    assertThat(sizes).allMatch(size -> size > 1);
    for (int r = 1; r < sizes.size(); r++) {
      assertThat(sizes.get(r)).isEqualTo((int) Math.ceil(sizes.get(r - 1) / (double) factor));
    }
    assertThat(sizes.get(sizes.size() - 1)).isLessThanOrEqualTo(factor);
  }

  @Example
  void nineCandidates_areThreeAndThenTheFinalRun() {
    assertThat(SuccessiveHalving.sizes(9, 3)).containsExactly(9, 3);
    assertThat(SuccessiveHalving.sizes(10, 3)).containsExactly(10, 4, 2);
    assertThat(SuccessiveHalving.sizes(2, 3)).containsExactly(2);
  }

  @Example
  void whatEachTrialCosts_isPlanned_andOnlyThePointsOfTheFirstRound() {
    List<PlannedTrial> trials = planned(overRates());

    assertThat(trials)
        .extracting(PlannedTrial::number)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(trials)
        .extracting(PlannedTrial::round)
        .containsExactly(1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3);
    assertThat(trials).allMatch(trial -> trial.steps() == 10);
    assertThat(trials).allMatch(trial -> trial.mu().equals(mu(trial.epsilon().value())));
    assertThat(trials.subList(0, 6))
        .extracting(t -> t.point().learningRate())
        .containsExactly(rate(0), rate(1), rate(2), rate(3), rate(4), rate(5));
    assertThat(trials.subList(6, 11)).noneMatch(PlannedTrial::isPlaced);
    assertThatThrownBy(() -> trials.get(6).point())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("trial 7 follows from scores");
  }

  @Example
  void theBestOfARound_goOn_theBestFirst() {
    List<PlannedTrial> placed =
        overRates()
            .placed(planned(overRates()), ended(overRates(), 0.1, 0.5, 0.3, 0.9, 0.2, 0), SCALE);

    assertThat(placed.subList(6, 9))
        .extracting(PlannedTrial::from)
        .containsExactly(OptionalInt.of(4), OptionalInt.of(2), OptionalInt.of(3));
    assertThat(placed.subList(6, 9))
        .extracting(t -> t.point().learningRate())
        .containsExactly(rate(3), rate(1), rate(2));
    assertThat(placed.subList(9, 11)).noneMatch(PlannedTrial::isPlaced);
  }

  @Example
  void aRound_waitsForEveryTrialOfTheOneBefore() {
    assertThat(from(overRates(), 1, 2, 3, 4, 5)).isEmpty();
    assertThat(from(overRates(), 1, 2, 3, 4, 5, 6)).containsExactly(6, 5, 4);
    assertThat(from(overRates(), 1, 2, 3, 4, 5, 6, 1, 2)).containsExactly(6, 5, 4);
    assertThat(from(overRates(), 1, 2, 3, 4, 5, 6, 1, 2, 3)).containsExactly(6, 5, 4, 9, 8);
  }

  @Example
  void equalScores_goByTheLattice_alsoInALaterRound() {
    assertThat(from(overRates(), 1, 1, 1, 1, 1, 1)).containsExactly(1, 2, 3);
    assertThat(from(overRates(), 0.0, -0.0, 0.0, -1, -1, -1)).containsExactly(1, 2, 3);
    // Trials 7, 8 and 9 are for the candidates 6, 1 and 2: of equal ones 8 and 9 stand first.
    assertThat(from(overRates(), 2, 1, 0, 0, 0, 3, 5, 5, 5)).containsExactly(6, 1, 2, 8, 9);
  }

  @Example
  void theFinalRun_isAtTheBestOfTheLastRound() {
    Decision decision = decide(0.1, 0.5, 0.3, 0.9, 0.2, 0, 0.1, 0.3, 0.2, 0.4, 0.6);

    // 11 is for 9, 9 for 3.
    assertThat(decision.from()).hasValue(11);
    assertThat(decision.point().learningRate()).isEqualTo(rate(2));
    assertThat(decision.kept()).isEmpty();
    assertThat(decision.guards()).isEmpty();
  }

  @Example
  void aLostScore_leavesItsCandidateOut_andIsReported() {
    assertThat(from(overRates(), 1, LOST, 3, 4, 5, 6)).containsExactly(6, 5, 4);
    Decision decision = decide(1, LOST, 3, 4, 5, 6, 1, 2, LOST, 1, 2);

    assertThat(decision.guards())
        .containsExactly(
            new Guard(
                "lost-score",
                "1 of the 6 trials of sweep 1 have no score and come after all others"),
            new Guard(
                "lost-score",
                "1 of the 3 trials of sweep 2 have no score and come after all others"));
  }

  @Example
  void whereTooFewHaveAScore_theFirstOfTheOthersFillTheRound() {
    assertThat(from(overRates(), LOST, LOST, LOST, LOST, 0.1, LOST)).containsExactly(5, 1, 2);
    assertThat(from(overRates(), 2, 1, 0, 0, 0, 3, LOST, LOST, 1)).containsExactly(6, 1, 2, 9, 8);
  }

  /** And every round still has as many trials as it was planned. */
  @Example
  void withoutAnyScoreOfARound_theOrderBeforeItStands() {
    double[] lost = DoubleStream.generate(() -> LOST).limit(11).toArray();
    assertThat(from(overRates(), lost)).containsExactly(1, 2, 3, 7, 8);
    Decision decision = decide(lost);

    assertThat(decision.point().learningRate()).isEqualTo(rate(0));
    assertThat(decision.guards()).hasSize(3).allMatch(g -> g.name().equals("lost-score"));
    assertThat(decision.guards().get(0).action())
        .isEqualTo(
            "none of the 6 trials of sweep 1 has a score: the first candidates of the lattice go on");
    assertThat(decision.guards().get(2).action()).endsWith("the best of the sweep before go on");
    assertThat(from(overRates(), 1, 2, 3, 4, 5, 6, LOST, LOST, LOST))
        .containsExactly(6, 5, 4, 7, 8);
  }

  @Example
  void aLogitNoise_staysAsItIs_andARateThatWouldOscillateIsCut() {
    SuccessiveHalving search =
        search(
            new RadiusSpace.ByLogitNoise(
                new Interval(0.5, 5, Interval.Scale.LOG), new StepRange(10, 10)));
    double[] scores = {1, 2, 3, 4, 5, 6, 3, 2, 1, 2, 1};
    Decision decision = search.decide(ended(search, scores), target(0.5), SCALE);

    for (PlannedTrial trial : search.placed(planned(search), ended(search, scores), SCALE)) {
      if (trial.from().equals(OptionalInt.of(6))) {
        // A quotient and a product of doubles: a few roundings.
        assertThat(SCALE.logitNoise(trial.point(), trial.mu())).isBetween(4.999999999, 5.000000001);
      }
    }
    assertThat(SCALE.logitNoise(decision.point(), mu(0.5))).isBetween(4.999999999, 5.000000001);
    RunScale narrow = new RunScale(1, 1, 0.9, 10_000, 100, 0.5, true);
    Decision cut = search.decide(ended(search, scores), target(0.5), narrow);
    assertThat(cut.point().learningRate()).isEqualTo(0.5);
    assertThat(cut.guards()).extracting(Guard::name).containsExactly("stability");
  }

  @Example
  void roundsThatDoNotFall_areNoHalving() {
    BestOf.Points points = overRates().points();
    for (List<SweepRound> rounds :
        List.of(
            List.<SweepRound>of(), List.of(round(0.1, 5)), List.of(round(0.1, 6), round(0.2, 6)))) {
      assertThatThrownBy(() -> new SuccessiveHalving(points, rounds, Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
