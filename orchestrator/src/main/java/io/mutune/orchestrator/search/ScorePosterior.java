package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.DecompositionSolver;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * What scores of known variance say of the score at every ν: a Gaussian process (Rasmussen and
 * Williams 2006, section 2.7) over x = ln ν − {@link #SHIFT} · ln(μn/{@link #CENTRAL}), in which
 * the curves of runs of any μn have their top at about the same place: the best ν grows with μn, up
 * to {@link #GROWN}. A score is level − fall(x, μn) + slope · ln(μn/dearest) + g(x) + noise. The
 * level is unknown (flat), so that the curve lies on the scores whatever accuracy a data set has;
 * each score falls by its own run's μn, and what is asked for by that of the final run, which has
 * more of it and so falls less; the slope is normal with deviation {@link #SLOPE}, for trials of
 * several μ: the curve is at the level of the dearest of them; g has the covariance {@link
 * #AMPLITUDE}² · exp(−(x − x′)²/(2·{@link #LENGTH}²)). The noise is that of the score, and that of
 * training, by which runs at one ν differ.
 *
 * <p>Its constants are those by which the choice lost least on eight sets (docs/method.md).
 */
final class ScorePosterior {
  /** The prior falls by this over √(μ·n), times the squared distance from its top in x. */
  static final double STEEPNESS = 0.2;

  /** Of g: how far accuracies lie from the prior's shape. */
  static final double AMPLITUDE = 0.025;

  /** Of g, in x. */
  static final double LENGTH = 1.3;

  /** x at the prior's top. */
  private static final double TOP = 0.1;

  /** By how much ln ν of the best run grows for each factor e in μ·n. */
  private static final double SHIFT = 0.2;

  /** The μ·n of a run whose x is its ln ν. */
  private static final double CENTRAL = 800;

  /** The most μ·n for which the growth was measured; beyond it none is assumed. */
  private static final double GROWN = 4000;

  /** Of the slope: accuracy for each factor e in μ. */
  static final double SLOPE = 0.03;

  /** The noise of training moves an accuracy by this over √(μ·n). */
  static final double TRAINING = 0.35;

  /** Scores beyond this number are pooled with their neighbours in x. */
  static final int MOST = 300;

  /** No score is taken for surer than this, so that any number of them at one ν can be solved. */
  private static final double LEAST = 5e-4;

  /** A range of ν is looked at in so many equal parts of its logarithm. */
  static final int GRID = 200;

  private static final double UNIT = AMPLITUDE * AMPLITUDE;

  private final double signal;
  private final double dearest;
  private final Optional<Solved> solved;

  /**
   * A score of a trial.
   *
   * @param place x of the trial
   * @param signal μ·n of the trial, above 0
   * @param variance around what models at this ν reach on average; raised to that of {@link #LEAST}
   */
  record Score(double place, double signal, double value, double variance) {
    Score {
      variance = Math.max(LEAST * LEAST, variance);
    }

    /**
     * @param logNoise ln ν
     * @param deviation of the score around the accuracy of its model; at least 0
     */
    static Score of(double logNoise, double signal, double value, double deviation) {
      double training = TRAINING * TRAINING / signal;
      return new Score(placed(logNoise, signal), signal, value, training + deviation * deviation);
    }
  }

  /** The expected score at a ν, and its standard deviation, that of the level included. */
  record Value(double mean, double deviation) {}

  /**
   * What the scores make of the covariance K, in units of {@link #AMPLITUDE}².
   *
   * @param solver of K
   * @param ones K⁻¹·1
   * @param residuals K⁻¹ · (scores − prior − level)
   */
  private record Solved(
      List<Score> scores,
      DecompositionSolver solver,
      RealVector ones,
      RealVector residuals,
      double level) {}

  /**
   * @param signal μ·n of the runs whose score is asked for, above 0
   * @param scores none for the prior alone, at the level 0
   */
  ScorePosterior(double signal, List<Score> scores) {
    this.signal = signal;
    this.dearest = scores.stream().mapToDouble(Score::signal).max().orElse(signal);
    this.solved = scores.isEmpty() ? Optional.empty() : Optional.of(solved(pooled(scores)));
  }

  /**
   * From the scores of trials; those without one say nothing.
   *
   * @param target μ of the runs whose score is asked for
   */
  static ScorePosterior of(List<ScoredTrial> trials, RunScale scale, Mu target) {
    List<Score> scores = new ArrayList<>();
    for (ScoredTrial t : trials) {
      if (t.score().isPresent()) {
        Mu mu = t.trial().mu();
        double logNoise = StrictMath.log(scale.logitNoise(t.trial().point(), mu));
        double value = clamped(t.score().getAsDouble());
        scores.add(Score.of(logNoise, mu.value() * scale.rows(), value, t.deviation()));
      }
    }
    return new ScorePosterior(target.value() * scale.rows(), scores);
  }

  /** An accuracy lies in [0, 1], so what noise took out of it only misleads. */
  static double clamped(double score) {
    return Math.min(1, Math.max(0, score));
  }

  private Solved solved(List<Score> scores) {
    DecompositionSolver solver = new CholeskyDecomposition(covariance(scores)).getSolver();
    double[] shaped = scores.stream().mapToDouble(s -> s.value + fall(s.place, s.signal)).toArray();
    RealVector rest = new ArrayRealVector(shaped, false);
    RealVector ones = solver.solve(new ArrayRealVector(shaped.length, 1.0));
    double level = ones.dotProduct(rest) / sum(ones);
    return new Solved(scores, solver, ones, solver.solve(rest.mapSubtract(level)), level);
  }

  private RealMatrix covariance(List<Score> scores) {
    int n = scores.size();
    RealMatrix covariance = new Array2DRowRealMatrix(n, n);
    for (int i = 0; i < n; i++) {
      Score one = scores.get(i);
      double slope = SLOPE * StrictMath.log(one.signal / dearest);
      for (int j = 0; j <= i; j++) {
        Score other = scores.get(j);
        double slopes = slope * SLOPE * StrictMath.log(other.signal / dearest);
        double noise = i == j ? one.variance : 0;
        double entry = kernel(one.place - other.place) + (slopes + noise) / UNIT;
        covariance.setEntry(i, j, entry);
        covariance.setEntry(j, i, entry);
      }
    }
    return covariance;
  }

  /** In units of {@link #AMPLITUDE}². */
  private static double kernel(double apart) {
    double distance = apart / LENGTH;
    return StrictMath.exp(-distance * distance / 2);
  }

  private static double sum(RealVector vector) {
    return vector.dotProduct(new ArrayRealVector(vector.getDimension(), 1.0));
  }

  /** x of a run of this ln ν and μ·n. */
  private static double placed(double logNoise, double signal) {
    return logNoise - shift(signal);
  }

  private static double shift(double signal) {
    return SHIFT * StrictMath.log(Math.min(signal, GROWN) / CENTRAL);
  }

  /** By how much runs at this x are expected below the best. */
  private static double fall(double place, double signal) {
    double apart = place - TOP;
    return STEEPNESS / Math.sqrt(signal) * apart * apart;
  }

  /** What is expected before any score, at the level that the scores have. */
  double prior(double logNoise) {
    return solved.map(Solved::level).orElse(0.0) - fall(placed(logNoise, signal), signal);
  }

  Value at(double logNoise) {
    double place = placed(logNoise, signal);
    if (solved.isEmpty()) {
      return new Value(prior(logNoise), AMPLITUDE);
    }
    Solved known = solved.get();
    RealVector shared =
        new ArrayRealVector(
            known.scores.stream().mapToDouble(s -> kernel(place - s.place)).toArray(), false);
    double told = shared.dotProduct(known.solver.solve(shared));
    double untold = 1 - shared.dotProduct(known.ones);
    double variance = Math.max(0, 1 - told) + untold * untold / sum(known.ones);
    return new Value(
        prior(logNoise) + shared.dotProduct(known.residuals), AMPLITUDE * Math.sqrt(variance));
  }

  /**
   * The ν of a range whose score is expected to be best, of {@link #GRID} + 1.
   *
   * @param reached what is run where a ν is asked for
   */
  double best(Interval range, DoubleUnaryOperator reached) {
    double best = range.min();
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i <= GRID; i++) {
      double logitNoise = reached.applyAsDouble(range.at(i / (double) GRID));
      double mean = at(StrictMath.log(logitNoise)).mean();
      if (mean > most) {
        best = logitNoise;
        most = mean;
      }
    }
    return best;
  }

  /** At most {@link #MOST}: neighbours in x are taken as one score, weighted by precision. */
  private static List<Score> pooled(List<Score> scores) {
    if (scores.size() <= MOST) {
      return scores;
    }
    List<Score> sorted =
        scores.stream()
            .sorted(Comparator.comparingDouble(Score::place).thenComparingDouble(Score::value))
            .toList();
    int each = (sorted.size() + MOST - 1) / MOST;
    List<Score> pooled = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += each) {
      pooled.add(pool(sorted.subList(from, Math.min(sorted.size(), from + each))));
    }
    return pooled;
  }

  private static Score pool(List<Score> scores) {
    double precision = 0;
    double place = 0;
    double logSignal = 0;
    double value = 0;
    for (Score s : scores) {
      double weight = 1 / s.variance;
      precision += weight;
      place += weight * s.place;
      logSignal += weight * StrictMath.log(s.signal);
      value += weight * s.value;
    }
    double mean = StrictMath.exp(logSignal / precision);
    return new Score(place / precision, mean, value / precision, 1 / precision);
  }
}
