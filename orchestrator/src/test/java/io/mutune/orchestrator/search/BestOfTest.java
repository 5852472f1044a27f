package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Trials.SCALE;
import static io.mutune.orchestrator.search.Trials.mu;
import static io.mutune.orchestrator.search.Trials.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BestOfTest {
  private static final RadiusSpace SPACE =
      new RadiusSpace.ByRate(
          new Interval(0.1, 10, Interval.Scale.LOG),
          new StepRange(10, 100),
          RadiusSpace.Decompose.INDEPENDENT);

  private static BestOf random(int runs, long seed) {
    return new BestOf("random", new BestOf.Drawn(SPACE, runs, seed), BestOf.Cost.DIVIDED);
  }

  private static BestOf grid(int values, int steps) {
    return new BestOf("grid", new BestOf.Lattice(SPACE, values, steps), BestOf.Cost.DIVIDED);
  }

  private static List<PlannedTrial> trials(BestOf search) {
    return search.trials(SCALE, Epsilon.of(0.5), mu(0.5));
  }

  private static Decision decide(BestOf search, double... scores) {
    List<ScoredTrial> scored = new ArrayList<>();
    for (PlannedTrial trial : trials(search)) {
      scored.add(new ScoredTrial(trial, OptionalDouble.of(scores[trial.number() - 1]), 0));
    }
    return search.decide(scored, target(0.5), SCALE);
  }

  @Property(tries = 100)
  void randomPoints_lieInTheRange_andAreTheSeedsOwn(
      @ForAll @IntRange(min = 1, max = 50) int runs, @ForAll long seed) {
    List<PlannedTrial> trials = trials(random(runs, seed));

    assertThat(trials).hasSize(runs);
    assertThat(trials)
        .allSatisfy(
            trial -> {
              assertThat(trial.point().learningRate()).isBetween(0.1, 10.0);
              assertThat(trial.point().steps()).isBetween(10, 100);
              assertThat(trial.mu()).isEqualTo(mu(0.5));
            });
    assertThat(trials(random(runs, seed))).isEqualTo(trials);
    assertThat(trials(random(runs, seed + 1))).isNotEqualTo(trials);
  }

  @Example
  void aGrid_takesBothEndsAndEqualStepsOfTheLogarithmBetween() {
    List<PlannedTrial> trials = trials(grid(3, 2));

    assertThat(trials)
        .extracting(t -> t.point().steps())
        .containsExactly(10, 10, 10, 100, 100, 100);
    // exp(ln 0.1 + share · ln 100) in double: a few roundings of numbers near 10.
    assertThat(trials.subList(0, 3))
        .extracting(t -> t.point().learningRate())
        .satisfiesExactly(
            a -> assertThat(a).isCloseTo(0.1, within(1e-14)),
            b -> assertThat(b).isCloseTo(1, within(1e-14)),
            c -> assertThat(c).isCloseTo(10, within(1e-14)));
  }

  @Example
  void oneValueOfARange_isItsMiddle() {
    assertThat(trials(grid(1, 1)))
        .singleElement()
        .satisfies(
            trial -> {
              assertThat(trial.point().learningRate()).isCloseTo(1, within(1e-14));
              assertThat(trial.point().steps()).isEqualTo(32);
            });
  }

  @Example
  void theBestScore_isKept_andOfEqualOnesTheFirst() {
    assertThat(decide(grid(3, 1), 0.2, 0.9, 0.4).kept()).hasValue(2);
    assertThat(decide(grid(3, 1), 0.4, 0.9, 0.9).kept()).hasValue(2);
    assertThat(decide(grid(3, 1), 0.7, 0.7, 0.7).kept()).hasValue(1);
  }

  @Example
  void aLostScore_isLeftOutAndReported() {
    Decision decision = decide(grid(3, 1), 0.2, Double.NaN, 0.4);

    assertThat(decision.kept()).hasValue(3);
    assertThat(decision.guards()).extracting(Guard::name).containsExactly("lost-score");
  }

  @Example
  void withoutAnyScore_thereIsNothingToKeep() {
    assertThatThrownBy(() -> decide(grid(2, 1), Double.NaN, Double.NaN))
        .isInstanceOf(SearchFailedException.class)
        .hasMessage("none of the 2 runs has a score");
  }

  @Example
  void oneRun_isKeptWithoutAScore() {
    BestOf one = random(1, 3);
    List<ScoredTrial> unscored =
        trials(one).stream().map(t -> new ScoredTrial(t, OptionalDouble.empty(), 0)).toList();

    assertThat(one.scores()).isFalse();
    assertThat(one.decide(unscored, target(0.5), SCALE).kept()).hasValue(1);
  }
}
