package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Searches over ν, the noise that a run adds to one logit, whose best value lies near 1 on every
 * data set tried (docs/method.md). Trials stand in the middle of equal parts of the range of ln ν;
 * their scores are smoothed over ln ν by kernel regression with a weak prior towards ν = 1, and the
 * best ν is carried to the final run. At a fixed ν more steps cost no privacy, so every run takes
 * the same number.
 *
 * @param logitNoise the range of ν, spread by its logarithm
 * @param why the rounds are these, where the sweep leaves them to the plan
 */
public record ScaleFree(
    Interval logitNoise, int steps, List<SweepRound> rounds, Optional<String> why)
    implements TrialsThenFinal {
  public static final Interval DEFAULT_RANGE = new Interval(0.1, 10, Interval.Scale.LOG);

  /** Kernel width in ln ν: about half the distance of three trials over the default range. */
  private static final double BANDWIDTH = 0.8;

  /**
   * The prior takes 0.02 of accuracy at a distance of 1.5 in ln ν from ν = 1, where trials have a
   * signal of {@link #SIGNAL}.
   */
  private static final double PRIOR_WEIGHT = 0.02;

  private static final double PRIOR_WIDTH = 1.5;

  private static final double LEAST_WEIGHT = 0.004;

  /** μ·n of a trial. */
  private static final double SIGNAL = 400;

  private static final int GRID = 200;

  public ScaleFree {
    rounds = List.copyOf(rounds);
  }

  /** With rounds that the sweep gives. */
  public ScaleFree(Interval logitNoise, int steps, List<SweepRound> rounds) {
    this(logitNoise, steps, rounds, Optional.empty());
  }

  @Override
  public String name() {
    return "scale-free";
  }

  @Override
  public OptionalInt fixedSteps() {
    return OptionalInt.of(steps);
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
          // A trial cut by the limit is shown with the rate that it takes; only the final run
          // reports it.
          return StabilityLimit.spread(scale.radius(nu, mu), steps, scale, new ArrayList<>());
        });
  }

  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    List<Guard> guards = new ArrayList<>();
    List<Fit.Point> points = new ArrayList<>();
    for (ScoredTrial t : trials) {
      double nu = scale.logitNoise(t.trial().point().radius(), t.trial().mu());
      // An accuracy lies in [0, 1], so what noise took out of it only misleads.
      t.score().ifPresent(score -> points.add(new Fit.Point(nu, Math.min(1, Math.max(0, score)))));
    }
    if (points.size() < trials.size()) {
      guards.add(
          new Guard(
              "lost-score",
              String.format(
                  Locale.ROOT,
                  "%d of %d trials have no score; the rest and the prior decide",
                  trials.size() - points.size(),
                  trials.size())));
    }
    List<Fit.Point> curve = curve(points, priorWeight(trials, scale));
    Fit.Point best = curve.get(0);
    for (Fit.Point p : curve) {
      if (p.y() > best.y()) {
        best = p;
      }
    }
    TrialPoint point =
        StabilityLimit.spread(scale.radius(best.x(), target.mu()), steps, scale, guards);
    Fit fit = new Fit("smooth", "logitNoise", "score", List.of(), points, curve);
    return new Decision(point, Optional.of(fit), List.copyOf(guards));
  }

  /** Larger where the trials have less signal over their noise, which μ·n says beforehand. */
  private static double priorWeight(List<ScoredTrial> trials, RunScale scale) {
    double signal =
        trials.stream()
            .mapToDouble(t -> t.trial().mu().value() * scale.rows())
            .min()
            .orElse(SIGNAL);
    double weak = SIGNAL / signal;
    return Math.max(LEAST_WEIGHT, PRIOR_WEIGHT * weak * weak);
  }

  /** The smoothed score less the prior's penalty over the range of ν. */
  private List<Fit.Point> curve(List<Fit.Point> points, double priorWeight) {
    Interval range = new Interval(logitNoise.min(), logitNoise.max(), Interval.Scale.LOG);
    List<Fit.Point> curve = new ArrayList<>(GRID + 1);
    for (int i = 0; i <= GRID; i++) {
      double nu = range.at(i / (double) GRID);
      double away = StrictMath.log(nu) / PRIOR_WIDTH;
      curve.add(new Fit.Point(nu, smoothed(nu, points) - priorWeight * away * away));
    }
    return curve;
  }

  /** Nadaraya-Watson; 0 everywhere without points, so that the prior alone decides. */
  private static double smoothed(double nu, List<Fit.Point> points) {
    double weights = 0;
    double sum = 0;
    double nearest = Double.POSITIVE_INFINITY;
    for (Fit.Point p : points) {
      nearest = Math.min(nearest, squaredDistance(nu, p));
    }
    for (Fit.Point p : points) {
      // Relative to the nearest point, so that far from all of them nothing underflows to 0/0.
      double weight = StrictMath.exp((nearest - squaredDistance(nu, p)) / 2);
      weights += weight;
      sum += weight * p.y();
    }
    return weights == 0 ? 0 : sum / weights;
  }

  /** Between two ν, in units of the bandwidth. */
  private static double squaredDistance(double nu, Fit.Point point) {
    double distance = StrictMath.log(nu / point.x()) / BANDWIDTH;
    return distance * distance;
  }
}
