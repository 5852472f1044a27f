package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * No tuning: the whole budget goes to one run at a point that the sweep gives.
 *
 * @param whySteps the run takes as many steps, where the sweep leaves that to the plan
 */
public record Fixed(Point point, Optional<String> whySteps) implements TrialsThenFinal {
  /** Stands where a rate would, and is neither used nor shown. */
  private static final double WITHOUT_RATE = 1;

  /** How the sweep gives the point. */
  public sealed interface Point permits ByRate, ByRadius, ByLogitNoise, BySteps {
    int steps();
  }

  /** η and T. */
  public record ByRate(double learningRate, int steps) implements Point {}

  /** r = η·T and T. */
  public record ByRadius(double radius, int steps) implements Point {}

  /** ν and T; ν = 1 loses little on any data. */
  public record ByLogitNoise(double logitNoise, int steps) implements Point {}

  /** T alone, for methods that have no learning rate to choose. */
  public record BySteps(int steps) implements Point {}

  /** With steps that the sweep gives. */
  public Fixed(Point point) {
    this(point, Optional.empty());
  }

  @Override
  public String name() {
    return "fixed";
  }

  @Override
  public List<SweepRound> rounds() {
    return List.of();
  }

  @Override
  public OptionalInt fixedSteps() {
    return OptionalInt.of(point.steps());
  }

  @Override
  public boolean searchesLogitNoise() {
    return point instanceof ByLogitNoise;
  }

  @Override
  public List<PlannedTrial> trials(RunScale scale, Function<Epsilon, Mu> noise) {
    return List.of();
  }

  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    List<Guard> guards = new ArrayList<>();
    TrialPoint chosen;
    if (point instanceof ByRate p) {
      chosen = new TrialPoint(p.learningRate(), p.steps());
    } else if (point instanceof BySteps p) {
      chosen = new TrialPoint(WITHOUT_RATE, p.steps());
    } else if (point instanceof ByRadius p) {
      chosen = new TrialPoint(p.radius() / p.steps(), p.steps());
    } else if (point instanceof ByLogitNoise p) {
      double radius = scale.radius(p.logitNoise(), target.mu());
      chosen = StabilityLimit.spread(radius, p.steps(), scale, guards);
    } else {
      throw new AssertionError(point);
    }
    return new Decision(chosen, Optional.empty(), List.copyOf(guards));
  }
}
