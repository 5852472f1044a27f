package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;

/**
 * Linear scaling, Algorithms 2 and 3 (Panda et al., ICML 2024): in each round the best of a few
 * random points gives a radius, or with guards what the scores of all rounds say of it; a
 * polynomial through the rounds' radii, over μ or ε, gives the final run's. Where the clip norm C
 * is searched beside it, the joint radius r·C takes the place of the radius; a sweep then gives C
 * no other value, so that its unit is 1. Taken to the letter it often slopes the wrong way
 * (docs/method.md), so guards are on unless the sweep turns them off.
 *
 * @param rounds as many as the degree needs; or none, which only guards allow
 * @param seed of the public generator that draws the points
 * @param why the rounds are these, where the sweep leaves them to the plan
 */
public record LinearScaling(
    RadiusSpace space,
    List<SweepRound> rounds,
    int degree,
    Axis axis,
    boolean guards,
    long seed,
    Optional<String> why,
    Interval usual)
    implements TrialsThenFinal {
  /** What the radius is a polynomial of. */
  public enum Axis {
    MU("mu"),
    EPSILON("epsilon");

    private final String key;

    Axis(String key) {
      this.key = key;
    }

    public String key() {
      return key;
    }
  }

  private static final int CURVE_POINTS = 50;

  /** A range without a usual ν is drawn from as it is after so many. */
  private static final int MOST_DRAWS = 1000;

  private static final double REACH = 2;

  /** μ·n of a trial at ε = 0.05 on 10000 rows, which was found to tell nothing. */
  static final double LEAST_SIGNAL = 170;

  public LinearScaling {
    rounds = List.copyOf(rounds);
    boolean none = guards && rounds.isEmpty();
    if (degree < 1 || (rounds.size() < degree + 1 && !none)) {
      throw new IllegalArgumentException(
          "a fit of degree " + degree + " needs at least " + (degree + 1) + " sweeps");
    }
  }

  /** With rounds that the sweep gives. */
  public LinearScaling(
      RadiusSpace space,
      List<SweepRound> rounds,
      int degree,
      Axis axis,
      boolean guards,
      long seed) {
    this(space, rounds, degree, axis, guards, seed, Optional.empty(), RunScale.USUAL_NOISE);
  }

  @Override
  public String name() {
    return "linear-scaling";
  }

  @Override
  public Optional<RadiusSpace> searchedSpace() {
    return Optional.of(space);
  }

  @Override
  public List<PlannedTrial> trials(RunScale scale, Function<Epsilon, Mu> noise) {
    SplittableRandom random = new SplittableRandom(seed);
    return SearchStrategy.layOut(
        rounds, noise, (i, round, mu) -> draw(i, round, random, scale, mu));
  }

  /**
   * With guards a point is drawn again until its ν lies in its own equal part of the usual range,
   * by logarithm, or in all of it where the space does not reach the part. What would oscillate is
   * cut first.
   */
  private TrialPoint draw(
      int index, SweepRound round, SplittableRandom random, RunScale scale, Mu mu) {
    if (!guarded(scale)) {
      return space.draw(random, scale, mu);
    }
    TrialPoint point = drawStable(random, scale, mu);
    double parts = round.trials();
    Interval part =
        new Interval(usual.at(index / parts), usual.at((index + 1) / parts), usual.scale());
    TrialPoint anywhere = point;
    for (int i = 0; i < MOST_DRAWS; i++) {
      double nu = scale.logitNoise(point, mu);
      if (part.contains(nu)) {
        return point;
      }
      anywhere = usual.contains(nu) ? point : anywhere;
      point = drawStable(random, scale, mu);
    }
    return anywhere;
  }

  /** A trial that is cut is shown with what it takes; only the final run reports it. */
  private TrialPoint drawStable(SplittableRandom random, RunScale scale, Mu mu) {
    return stable(space.draw(random, scale, mu), scale, new ArrayList<>());
  }

  /** The same radius in more steps if one step would be too large; a shorter one at the most. */
  private TrialPoint stable(TrialPoint point, RunScale scale, List<Guard> acted) {
    RunScale own = scale.with(point.settings());
    double limit = own.largestStableLearningRate();
    if (point.learningRate() <= limit) {
      return point;
    }
    int enough = (int) Math.min(space.steps().max(), Math.ceil(point.radius() / limit));
    return StabilityLimit.spread(point.radius(), enough, limit, acted).with(point.settings());
  }

  private boolean guarded(RunScale scale) {
    return guards && scale.natural();
  }

  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    List<Guard> acted = new ArrayList<>();
    List<Best> bests = bestOfEachRound(trials, scale);
    if (bests.size() < rounds.size()) {
      acted.add(
          new Guard(
              "lost-score",
              (rounds.size() - bests.size()) + " of the sweeps have no score and are left out"));
    }
    if (rounds.isEmpty()) {
      double radius = usual(scale, target.mu(), "no trials were made", acted);
      return new Decision(at(radius, scale, target, acted), Optional.empty(), List.copyOf(acted));
    }
    double x = axis == Axis.MU ? target.mu().value() : target.epsilon().value();
    List<Fit.Point> points = bests.stream().map(this::point).toList();
    PolynomialFunction line = fit(points, x, acted);
    double radius =
        guarded(scale) && signal(trials, scale) < LEAST_SIGNAL
            ? usual(scale, target.mu(), weak(signal(trials, scale)), acted)
            : withinSight(line.value(x), bests, scale, target.mu(), acted);
    return new Decision(
        at(radius, scale, target, acted),
        Optional.of(describe(line, points, x)),
        List.copyOf(acted));
  }

  /** The final run's point at a radius, or at the nearest that the range and the limit allow. */
  private TrialPoint at(double radius, RunScale scale, Target target, List<Guard> acted) {
    double reached = withinRange(radius, space.radii(scale, target.mu()), acted);
    TrialPoint point = space.split(reached, new SplittableRandom(~seed), acted);
    return guarded(scale) ? stable(point, scale, acted) : point;
  }

  /** The largest μ·n of a trial. */
  private static double signal(List<ScoredTrial> trials, RunScale scale) {
    return trials.stream().mapToDouble(t -> t.trial().mu().value() * scale.rows()).max().orElse(0);
  }

  /** ν = 1, which is known beforehand: where no trial was made, or where trials say less. */
  private static double usual(RunScale scale, Mu mu, String why, List<Guard> acted) {
    if (!scale.natural()) {
      throw new SearchFailedException(
          "without sweeps the noise in a logit decides, which this method does not have");
    }
    double radius = scale.radius(1, mu);
    acted.add(
        Guard.of("weak-trials", "%s; radius %.4g was taken, a noise of 1 in a logit", why, radius));
    return radius;
  }

  private static String weak(double signal) {
    return String.format(
        Locale.ROOT,
        "mu times the rows is %.0f at most in the trials, below %.0f, so their scores say next to"
            + " nothing",
        signal,
        LEAST_SIGNAL);
  }

  /** What a round says: its noise, and the joint radius that was best at it. */
  private record Best(Epsilon epsilon, Mu mu, double radius) {}

  private Fit.Point point(Best best) {
    return new Fit.Point(axis == Axis.MU ? best.mu.value() : best.epsilon.value(), best.radius);
  }

  /** Of each round that has a score. */
  private List<Best> bestOfEachRound(List<ScoredTrial> trials, RunScale scale) {
    List<Best> bests = new ArrayList<>();
    for (int round = 1; round <= rounds.size(); round++) {
      ScoredTrial best = null;
      for (ScoredTrial t : trials) {
        boolean better =
            t.trial().round() == round
                && t.score().isPresent()
                && (best == null || t.score().getAsDouble() > best.score().orElseThrow());
        if (better) {
          best = t;
        }
      }
      if (best != null) {
        PlannedTrial trial = best.trial();
        double radius =
            guarded(scale) ? expected(trials, scale, trial.mu()) : trial.point().jointRadius();
        bests.add(new Best(trial.epsilon(), trial.mu(), radius));
      }
    }
    return bests;
  }

  /**
   * The radius that the scores of all rounds together say is best at this μ, in the part of the
   * usual range of ν that the space has: of three trials the luckiest is often not the best.
   */
  private double expected(List<ScoredTrial> trials, RunScale scale, Mu mu) {
    Interval radii = space.radii(scale, mu);
    Interval had =
        new Interval(
            scale.logitNoise(radii.min(), mu), scale.logitNoise(radii.max(), mu), usual.scale());
    boolean meet = had.min() <= usual.max() && had.max() >= usual.min();
    double noise = ScorePosterior.of(trials, scale, mu).best(meet ? usual : had, had::clamp);
    return radii.clamp(scale.radius(noise, mu));
  }

  private PolynomialFunction fit(List<Fit.Point> points, double x, List<Guard> acted) {
    long distinct = points.stream().mapToDouble(Fit.Point::x).distinct().count();
    Optional<PolynomialFunction> determined =
        distinct < degree + 1 ? Optional.empty() : PolynomialFit.of(points, degree);
    if (determined.isEmpty()) {
      if (points.isEmpty() || !guards) {
        throw new SearchFailedException(
            "a fit of degree "
                + degree
                + " needs scores in "
                + (degree + 1)
                + " sweeps of different cost; "
                + distinct
                + " had any");
      }
      acted.add(new Guard("too-few-points", "the line through the origin was fitted instead"));
      return throughOrigin(points);
    }
    PolynomialFunction fitted = determined.get();
    double slope = fitted.polynomialDerivative().value(x);
    if (guards && slope < 0) {
      acted.add(
          Guard.of(
              "negative-slope",
              "the fitted slope was %.4g; the line through the origin was fitted instead",
              slope));
      return throughOrigin(points);
    }
    return fitted;
  }

  /** Least squares without a constant: a = Σxr / Σx². */
  private static PolynomialFunction throughOrigin(List<Fit.Point> points) {
    double xr = points.stream().mapToDouble(p -> p.x() * p.y()).sum();
    double xx = points.stream().mapToDouble(p -> p.x() * p.x()).sum();
    return new PolynomialFunction(new double[] {0, xr / xx});
  }

  /**
   * The final run lies far beyond the sweeps, so a line that bends a little ends far away. A ν more
   * than {@link #REACH} times beyond those that were best in the sweeps is cut to that.
   */
  private double withinSight(
      double radius, List<Best> bests, RunScale scale, Mu mu, List<Guard> acted) {
    if (!guarded(scale)) {
      return radius;
    }
    DoubleSummaryStatistics seen =
        bests.stream().mapToDouble(b -> scale.logitNoise(b.radius, b.mu)).summaryStatistics();
    double nu = scale.logitNoise(radius, mu);
    double low = seen.getMin() / REACH;
    double high = seen.getMax() * REACH;
    if (nu >= low && nu <= high) {
      return radius;
    }
    double cut = scale.radius(nu < low ? low : high, mu);
    acted.add(
        Guard.of(
            "logit-noise",
            "the fit asks for radius %.4g, a noise of %.4g in a logit; best in the sweeps"
                + " were %.4g to %.4g, so radius %.4g was taken",
            radius,
            nu,
            seen.getMin(),
            seen.getMax(),
            cut));
    return cut;
  }

  /**
   * The published code takes the largest rate and steps beyond the range; below it nothing can be
   * run. So the range binds with and without guards, and is reported in both.
   */
  private static double withinRange(double radius, Interval range, List<Guard> acted) {
    if (range.contains(radius)) {
      return radius;
    }
    double clamped = range.clamp(radius);
    acted.add(
        Guard.of(
            "out-of-range",
            "the fit asks for radius %.4g; the range is %.4g to %.4g, so %.4g was taken",
            radius,
            range.min(),
            range.max(),
            clamped));
    return clamped;
  }

  private Fit describe(PolynomialFunction line, List<Fit.Point> points, double x) {
    double end = points.stream().mapToDouble(Fit.Point::x).reduce(x, Math::max);
    List<Fit.Point> curve = new ArrayList<>();
    for (int i = 0; i <= CURVE_POINTS; i++) {
      double at = end * i / CURVE_POINTS;
      curve.add(new Fit.Point(at, line.value(at)));
    }
    List<Double> coefficients = new ArrayList<>();
    for (double c : line.getCoefficients()) {
      coefficients.add(c);
    }
    boolean joint = space.settings().contains(SearchedNumbers.CLIP_NORM);
    return new Fit(
        "polynomial",
        axis.key(),
        joint ? "jointRadius" : "radius",
        coefficients,
        points,
        curve,
        Optional.empty());
  }
}
