package io.mutune.orchestrator.search;

import static io.mutune.orchestrator.search.Trials.target;

import io.mutune.accountant.Epsilon;
import io.mutune.orchestrator.search.LinearScaling.Axis;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;

/** Strategies of linear scaling whose points are radii in ten steps. */
final class Lines {
  static final boolean ON = true;
  static final boolean OFF = false;

  /** A fit of well-scaled numbers is good to nearly all digits. */
  static final Percentage EXACT = Percentage.withPercentage(1e-9);

  /** A radius becomes ten steps, so that it can be read off the point. */
  static final RadiusSpace SPACE =
      new RadiusSpace.ByRadius(new Interval(1, 1000, Interval.Scale.LOG), new StepRange(10, 10));

  /** Where ν says nothing, a round's radius is that of its best trial, with and without guards. */
  static final RunScale PLAIN = new RunScale(1, 1, 0.9, 10_000, 100, 380, false);

  private Lines() {}

  static LinearScaling strategy(int rounds, int degree, Axis axis, boolean guards) {
    List<SweepRound> sweeps = new ArrayList<>();
    for (int i = 1; i <= rounds; i++) {
      sweeps.add(new SweepRound(Epsilon.of(0.1 * i), 3));
    }
    return new LinearScaling(SPACE, sweeps, degree, axis, guards, 1);
  }

  static Decision decide(LinearScaling strategy, ScoredTrial... trials) {
    return strategy.decide(List.of(trials), target(0.8), PLAIN);
  }

  static List<String> names(Decision decision) {
    return decision.guards().stream().map(Guard::name).toList();
  }
}
