package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanExceededException;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SearchedNumbers;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;

/**
 * Plans runs whose steps take samples of different sizes. The points, and with them the sampling
 * rates, follow from the sweep; the noise of each rate is that with which one run of it alone has
 * the same ε as one of any other, times what all of them together need to keep the budget. So every
 * charge is fixed to the last digit before any data is read, whichever rate turns out best.
 */
final class SampledRunsPlanner {
  private static final int HALVINGS = 5;
  private static final double MOST_NOISE = 1e6;

  /** Where samples cost next to nothing at any noise. */
  private static final double LEAST_NOISE = 1e-9;

  private final SweepDefinition sweep;
  private final Budget budget;
  private final BestOf search;
  private final int steps;
  private final List<TrialPoint> points;

  SampledRunsPlanner(SweepDefinition sweep, BestOf search, int steps) {
    this.sweep = sweep;
    this.budget = sweep.budget();
    this.search = search;
    this.steps = steps;
    // Of μ = 1: where points are found by ν, a rate is in proportion to μ.
    this.points = search.points().of(sweep.runScale(), Mu.of(1));
  }

  /**
   * Plans anew, or as a study was begun.
   *
   * @throws PlanExceededException if the scores leave nothing, or the given noise does not keep the
   *     budget
   */
  StudyPlan plan(Optional<NoiseLevels> begun) {
    Map<Double, Double> levels = begun.map(NoiseLevels::trials).orElseGet(this::levels);
    List<PlannedTrial> trials = new ArrayList<>();
    Map<Double, Epsilon> alone = new TreeMap<>();
    for (TrialPoint point : points) {
      NoiseMultiplier sigma = sigma(levels, point);
      Mu mu = FixedPlanner.noise(budget, rate(point), steps, sigma);
      Epsilon each =
          alone.computeIfAbsent(
              rate(point),
              unused ->
                  PlanTotal.of(budget, List.of(training(Question.RUN, point, sigma))).epsilon());
      trials.add(new PlannedTrial(trials.size() + 1, 1, each, mu, faster(point, mu)));
    }
    List<Charge> charges =
        QuestionCosts.beforeFinal(
            sweep,
            trials,
            t -> training(Question.trial(t.number()), t.point(), sigma(levels, t.point())));
    Budget kept = search.passesBudget() ? FixedPlanner.passed(budget, charges) : budget;
    PlannedTrial dearest = trials.get(0);
    for (PlannedTrial trial : trials) {
      dearest = trial.epsilon().value() > dearest.epsilon().value() ? trial : dearest;
    }
    return new StudyPlan(
        sweep,
        kept,
        trials,
        charges,
        new FinalShare.Kept(
            dearest.mu(), dearest.epsilon(), Optional.of(sigma(levels, dearest.point())), levels));
  }

  private static double rate(TrialPoint point) {
    Double rate = point.settings().get(SearchedNumbers.SAMPLING_RATE);
    if (rate == null) {
      throw new IllegalArgumentException("a run without a sampling rate of its own: " + point);
    }
    return rate;
  }

  private TrialPoint faster(TrialPoint point, Mu mu) {
    return search.searchesLogitNoise()
        ? new TrialPoint(point.learningRate() * mu.value(), point.steps(), point.settings())
        : point;
  }

  private NoiseMultiplier sigma(Map<Double, Double> levels, TrialPoint point) {
    Double sigma = levels.get(rate(point));
    if (sigma == null) {
      throw new IllegalStateException("the study was begun with other rates than its definition");
    }
    return NoiseMultiplier.of(sigma);
  }

  private Charge training(Question question, TrialPoint point, NoiseMultiplier sigma) {
    Mechanism mechanism =
        sweep.train().method().with(point.settings()).mechanism(sigma, sweep.problem(), steps);
    return question.charge(mechanism);
  }

  /** σ by sampling rate. */
  private Map<Double, Double> levels() {
    Map<Double, Double> alone = new TreeMap<>();
    Budget each = ofOneRun();
    for (TrialPoint point : points) {
      alone.computeIfAbsent(rate(point), unused -> alone(each, point));
    }
    if (search.passesBudget()) {
      return alone;
    }
    List<Charge> others = QuestionCosts.withoutTraining(sweep, search.runs());
    FixedPlanner.requireRoom(budget, others);
    return times(
        alone,
        enough(1.1, factor -> LeastNoise.isProved(budget, all(others, times(alone, factor)))));
  }

  private double alone(Budget each, TrialPoint point) {
    DoubleFunction<List<Charge>> run =
        sigma -> List.of(training(Question.RUN, point, NoiseMultiplier.of(sigma)));
    double least = enough(2, sigma -> PlanTotal.keeps(each, run.apply(sigma)));
    if (least <= LEAST_NOISE) {
      throw FixedPlanner.smallSamples(
          sweep, steps, rate(point), PlanTotal.of(budget, run.apply(least)).epsilon());
    }
    return least;
  }

  private List<Charge> all(List<Charge> others, Map<Double, Double> levels) {
    List<Charge> all = new ArrayList<>(others);
    points.forEach(point -> all.add(training(Question.RUN, point, sigma(levels, point))));
    return all;
  }

  /**
   * Nearly the least number that is enough, and always one that is: each look composes all runs
   * numerically, so that more digits would cost minutes.
   *
   * @param stride by which it is bracketed, above 1; what is found is within its 32nd root
   */
  private static double enough(double stride, DoublePredicate suffices) {
    double high = 1;
    double low;
    if (suffices.test(high)) {
      low = high / stride;
      while (low > LEAST_NOISE && suffices.test(low)) {
        high = low;
        low /= stride;
      }
    } else {
      do {
        low = high;
        high *= stride;
        if (high > MOST_NOISE) {
          throw new PlanExceededException("no noise keeps the budget");
        }
      } while (!suffices.test(high));
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = Math.sqrt(low * high);
      if (suffices.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /**
   * What a run may cost alone, near what it will: noise of different rates buys ε at different
   * prices, so that runs stay alike only where the factor is near 1.
   */
  private Budget ofOneRun() {
    if (search.passesBudget()) {
      return budget;
    }
    Mu share = Mu.of(budget.cap().mu().value() / Math.sqrt(search.runs()));
    return new Budget(
        GaussianDp.of(share).epsilon(budget.delta()), budget.delta(), budget.adjacency());
  }

  private static Map<Double, Double> times(Map<Double, Double> alone, double factor) {
    Map<Double, Double> levels = new TreeMap<>();
    alone.forEach((rate, sigma) -> levels.put(rate, sigma * factor));
    return levels;
  }
}
