package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * Searches over ν, the noise that a run adds to one logit, whose best value lies near 1 on every
 * data set tried (docs/method.md). Trials stand in the middle of equal parts of the range of ln ν;
 * from their scores, and how far chance moves each, follows the {@link ScorePosterior} over ln ν,
 * and the ν of its best mean is carried to the final run. At a fixed ν more steps cost no privacy,
 * so every run takes the same number.
 *
 * @param logitNoise the range of ν, spread by its logarithm
 * @param enough how many steps every run takes
 * @param why the rounds are these, where the sweep leaves them to the plan
 */
public record ScaleFree(
    Interval logitNoise, EnoughSteps enough, List<SweepRound> rounds, Optional<String> why)
    implements TrialsThenFinal {
  public ScaleFree {
    rounds = List.copyOf(rounds);
  }

  /** With steps and rounds that the sweep gives. */
  public ScaleFree(Interval logitNoise, int steps, List<SweepRound> rounds) {
    this(logitNoise, EnoughSteps.given(steps), rounds, Optional.empty());
  }

  @Override
  public String name() {
    return "scale-free";
  }

  @Override
  public OptionalInt fixedSteps() {
    return OptionalInt.of(enough.count());
  }

  @Override
  public Optional<String> whySteps() {
    return enough.why();
  }

  @Override
  public boolean searchesLogitNoise() {
    return true;
  }

  @Override
  public List<PlannedTrial> trials(RunScale scale, Function<Epsilon, Mu> noise) {
    return SearchStrategy.layOut(
        rounds,
        noise,
        (i, round, mu) -> {
          double nu = logitNoise.at((i + 0.5) / round.trials());
          return spread(scale.radius(nu, mu), scale, new ArrayList<>());
        });
  }

  private TrialPoint spread(double radius, RunScale scale, List<Guard> guards) {
    return StabilityLimit.spread(radius, enough.count(), scale, guards);
  }

  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    List<Guard> guards = new ArrayList<>(cut(trials, scale));
    List<Fit.Point> points = new ArrayList<>();
    for (ScoredTrial t : trials) {
      double nu = scale.logitNoise(t.trial().point(), t.trial().mu());
      t.score().ifPresent(score -> points.add(new Fit.Point(nu, ScorePosterior.clamped(score))));
    }
    if (points.size() < trials.size()) {
      guards.add(
          Guard.of(
              "lost-score",
              "%d of %d trials have no score; the rest and the prior decide",
              trials.size() - points.size(),
              trials.size()));
    }
    ScorePosterior posterior = ScorePosterior.of(trials, scale, target.mu());
    Interval range = new Interval(logitNoise.min(), logitNoise.max(), Interval.Scale.LOG);
    double radius =
        scale.radius(posterior.best(range, DoubleUnaryOperator.identity()), target.mu());
    TrialPoint point = spread(radius, scale, guards);
    return new Decision(point, Optional.of(fit(points, posterior, range)), List.copyOf(guards));
  }

  /** Trials whose ν the limit took down, so that two of them may have run at one ν. */
  private List<Guard> cut(List<ScoredTrial> trials, RunScale scale) {
    double limit = StabilityLimit.of(scale, enough.count());
    long cut = trials.stream().filter(t -> t.trial().point().learningRate() >= limit).count();
    return cut == 0
        ? List.of()
        : List.of(
            Guard.of(
                "stability",
                "%d of %d trials ran at the largest stable learning rate, %.4g, and with a"
                    + " smaller noise in a logit than planned (more steps would keep it)",
                cut,
                trials.size(),
                limit));
  }

  /** The posterior over the range of ν. */
  private static Fit fit(List<Fit.Point> points, ScorePosterior posterior, Interval range) {
    List<Fit.Point> curve = new ArrayList<>(ScorePosterior.GRID + 1);
    List<Double> deviation = new ArrayList<>(ScorePosterior.GRID + 1);
    List<Double> prior = new ArrayList<>(ScorePosterior.GRID + 1);
    for (int i = 0; i <= ScorePosterior.GRID; i++) {
      double nu = range.at(i / (double) ScorePosterior.GRID);
      ScorePosterior.Value value = posterior.at(StrictMath.log(nu));
      curve.add(new Fit.Point(nu, value.mean()));
      deviation.add(value.deviation());
      prior.add(posterior.prior(StrictMath.log(nu)));
    }
    return new Fit(
        "posterior",
        "logitNoise",
        "score",
        List.of(),
        points,
        curve,
        Optional.of(new Fit.Posterior(deviation, prior)));
  }
}
