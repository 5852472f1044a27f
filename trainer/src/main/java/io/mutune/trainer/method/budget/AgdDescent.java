package io.mutune.trainer.method.budget;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClippedLosses;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.IterateStepper;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.noise.Purpose;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run of {@link Agd}, release by release. What it remembers are released values: what is left of
 * the budget, the budget of the last gradient, what comes next, the step sizes, and the gradient.
 *
 * <p>Releases that were lost in a crash are charged the most that they can have cost, and the run
 * goes on with a new gradient.
 */
final class AgdDescent extends IterateStepper implements AutoCloseable {
  private static final int LEFT = 0;
  private static final int RHO = 1;
  private static final int NEXT = 2;
  private static final int GREATEST_STEP = 3;
  private static final int GREATEST_CHOSEN = 4;
  private static final int MOVES = 5;
  private static final int GRADIENT = 6;

  /** Values of {@link #NEXT}. */
  private static final double MEASURE = 0;

  private static final double SEARCH = 1;
  private static final double REFINE = 2;

  private final Agd method;
  private final Problem problem;
  private final double searchRho;
  private final PrivateRows rows;
  private final TrainingAttempt run;
  private final double[] measured;
  private @Nullable ClippedSum sum;
  private @Nullable ClippedLosses losses;

  private AgdDescent(
      Agd method,
      Problem problem,
      double searchRho,
      PrivateRows rows,
      TrainingAttempt run,
      Iterate from) {
    super(from);
    this.method = method;
    this.problem = problem;
    this.searchRho = searchRho;
    this.rows = rows;
    this.run = run;
    this.measured = new double[weights.length];
  }

  static AgdDescent of(
      Agd method,
      Problem problem,
      double totalRho,
      int length,
      PrivateRows rows,
      TrainingAttempt run) {
    double[] first = new double[GRADIENT + length];
    first[LEFT] = totalRho;
    first[RHO] = method.gradientShare() * totalRho;
    first[NEXT] = MEASURE;
    first[GREATEST_STEP] = method.greatestStep();
    Iterate from = run.start(new double[length], first);
    return new AgdDescent(method, problem, method.searchShare() * totalRho, rows, run, from);
  }

  @Override
  public boolean iteratesAreModels() {
    return true;
  }

  @Override
  public boolean finished() {
    return memory[LEFT] < cost();
  }

  private double cost() {
    if (memory[NEXT] == SEARCH) {
      return searchRho;
    }
    return memory[NEXT] == REFINE ? method.growth() * memory[RHO] : memory[RHO];
  }

  @Override
  public void skipTo(int step) {
    double greatest = memory[RHO];
    while (asked < step) {
      asked++;
      spend(Math.max(searchRho, greatest));
      greatest *= 1 + method.growth();
      memory[NEXT] = MEASURE;
    }
  }

  private void spend(double rho) {
    memory[LEFT] = BudgetMethod.left(memory[LEFT], rho);
  }

  @Override
  public void step() {
    asked++;
    double cost = cost();
    spend(cost);
    if (memory[NEXT] == SEARCH) {
      search();
    } else {
      measure(cost);
    }
  }

  /** A new gradient, or the average of the old one and a second, each by its ρ. */
  private void measure(double rho) {
    if (sum == null) {
      sum = run.engine().open(rows, problem.loss(), problem.classes(), method.clipNorm());
    }
    sum.compute(weights, measured);
    double sensitivity = problem.adjacency().sumSensitivity() * method.clipNorm().value();
    run.noise().stream(run.streams().step(asked))
        .addTo(measured, sensitivity / Math.sqrt(2 * rho) * BudgetMethod.ROUNDED_UP);
    boolean refined = memory[NEXT] == REFINE;
    double share = refined ? rho / (memory[RHO] + rho) : 1;
    for (int i = 0; i < measured.length; i++) {
      double before = refined ? memory[GRADIENT + i] : 0;
      memory[GRADIENT + i] = (1 - share) * before + share * measured[i];
    }
    memory[RHO] = refined ? memory[RHO] + rho : rho;
    memory[NEXT] = SEARCH;
  }

  private void search() {
    double[] direction = direction();
    int chosen = choose(direction);
    if (chosen == 0) {
      memory[NEXT] = REFINE;
      return;
    }
    double size = size(chosen);
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= size * direction[i];
    }
    memory[NEXT] = MEASURE;
    memory[GREATEST_CHOSEN] = Math.max(memory[GREATEST_CHOSEN], size);
    memory[MOVES]++;
    if (memory[MOVES] >= method.period()) {
      memory[GREATEST_STEP] = (1 + method.stepGrowth()) * memory[GREATEST_CHOSEN];
      memory[GREATEST_CHOSEN] = 0;
      memory[MOVES] = 0;
    }
  }

  private double size(int candidate) {
    return memory[GREATEST_STEP] * candidate / method.candidates();
  }

  /** Of norm 1, or 0 where the gradient is. */
  private double[] direction() {
    double[] direction = new double[weights.length];
    for (int i = 0; i < direction.length; i++) {
      direction[i] = memory[GRADIENT + i] + decay() * weights[i];
    }
    double norm = EuclideanNorm.of(direction);
    for (int i = 0; i < direction.length; i++) {
      direction[i] = norm > 0 ? direction[i] / norm : 0;
    }
    return direction;
  }

  private double decay() {
    return problem.publicRows() * method.weightDecay();
  }

  /**
   * Candidate k, from 0, with probability proportional to exp(−ε·Jₖ/(sB)), by Gumbel noise. The
   * penalty counts beyond the least one: beside a large one a sum of losses would be rounded by
   * more than its sensitivity.
   */
  private int choose(double[] direction) {
    if (losses == null) {
      losses = new ClippedLosses(rows, problem.loss(), problem.classes());
    }
    double epsilon = Math.sqrt(8 * searchRho) * (1 - BudgetMethod.ROUNDED);
    double range = problem.adjacency().sumSensitivity() * method.lossBound();
    double[] sums = new double[method.candidates() + 1];
    double[] penalties = new double[sums.length];
    double[] candidate = new double[weights.length];
    for (int k = 0; k < sums.length; k++) {
      double squares = 0;
      for (int i = 0; i < candidate.length; i++) {
        candidate[i] = weights[i] - size(k) * direction[i];
        squares += candidate[i] * candidate[i];
      }
      sums[k] = losses.sum(candidate, method.lossBound());
      penalties[k] = decay() / 2 * squares;
    }
    double least = Arrays.stream(penalties).min().orElseThrow();
    double[] scores = new double[sums.length];
    for (int k = 0; k < scores.length; k++) {
      scores[k] = -epsilon / range * (sums[k] + (penalties[k] - least));
    }
    return GumbelMax.choose(scores, run.noise().bits(run.streams().step(asked, Purpose.SAMPLE)));
  }

  @Override
  public void close() {
    if (sum != null) {
      sum.close();
    }
  }
}
