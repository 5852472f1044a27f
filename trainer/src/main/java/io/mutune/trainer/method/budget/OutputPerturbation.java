package io.mutune.trainer.method.budget;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Output perturbation: the minimum of the regularised mean loss, with noise that covers how far one
 * row can move it (Chaudhuri, Monteleoni and Sarwate 2011; with Gaussian noise Zhang et al. 2017).
 *
 * <pre>
 *   w* = argmin (1/N)Σℓᵢ(w) + (λ/2)‖w‖²     released: w* + η
 * </pre>
 *
 * <p>N is public, so J is λ-strongly convex whatever the number of rows is, and w* moves by at most
 * L/(λN) if a row is added or removed and twice that if one is replaced. What is computed is not w*
 * but a point within {@code distance} τ of it, whatever the rows are ({@link RegularisedMinimum}):
 * the sensitivity is Δ = sL/(λN) + 2τ with s = 1 or 2. The bound on the gradients is enforced, not
 * assumed: rows longer than 1 are shortened to 1, and L is the loss's own. The hinge is refused,
 * since no point is provably near its minimum.
 *
 * <p>Only the noisy minimum is ever released or stored.
 *
 * <p>The noise is N(0, σ²Δ²) on every weight, exactly Gaussian DP, or has a density proportional to
 * exp(−ε‖η‖/Δ), which is ε-DP: a direction, uniform on the sphere, times a radius of the gamma law
 * of shape d and scale Δ/ε, for d weights. The lecture on DP-SGD and PATE prints the exponent
 * upside down.
 *
 * @param weightDecay λ, beside the mean loss; finite and above 0
 * @param solverDistance τ, how far from the minimum the solver may stop; no less than rounding may
 *     hide; empty for a hundredth of 1/(λN)
 * @param exponential whether the noise has the second form, and an ε
 */
public record OutputPerturbation(
    double weightDecay, OptionalDouble solverDistance, boolean exponential)
    implements BudgetMethod {
  private static final Setting<Double> WEIGHT_DECAY =
      Setting.number("weightDecay", NumberRule.HYPERPARAMETER, "beside the mean of the losses");
  private static final Setting<Double> SOLVER_DISTANCE =
      Setting.number("solverDistance", NumberRule.fromTo(1e-15, 1e9), "");
  private static final Setting<String> NOISE = Setting.word("noise", "", "normal", "exponential");

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "output-perturbation",
          List.<Setting<?>>of(WEIGHT_DECAY, SOLVER_DISTANCE, NOISE),
          given ->
              new OutputPerturbation(
                  readWeightDecay(given, "output-perturbation"),
                  readSolverDistance(given),
                  given.get(NOISE).equals("exponential")));

  static double readWeightDecay(MethodSettings given, String method) {
    return given
        .require(WEIGHT_DECAY, method + " needs it: it bounds how far one row moves the minimum")
        .orElse(1.0);
  }

  static OptionalDouble readSolverDistance(MethodSettings given) {
    return given.find(SOLVER_DISTANCE).map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  /** The settings of a method that perturbs a minimum. */
  static List<Setting<?>> minimumSettings() {
    return List.of(WEIGHT_DECAY, SOLVER_DISTANCE);
  }

  public OutputPerturbation {
    Require.that(weightDecay > 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  /** What is ε-DP has no μ of its own. */
  @Override
  public Set<Need> needs() {
    return exponential ? Set.of(Need.FIXED_PLAN, Need.SMOOTH_LOSS) : Set.of(Need.SMOOTH_LOSS);
  }

  @Override
  public String released() {
    return "the final model";
  }

  /** One release, in units of Δ. */
  @Override
  public Mechanism mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return exponential ? new PureDp(BudgetMethod.epsilon(sigma), 1) : new Gaussian(sigma, 1, 1);
  }

  /** Where rounding may hide how far the solver stops from the minimum. */
  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    return minimum(problem).whyNotProved(features.orElse(1), 0);
  }

  private RegularisedMinimum minimum(Problem problem) {
    double lambda = weightDecay * problem.publicRows();
    return new RegularisedMinimum(
        problem.loss(), problem.classes(), lambda, solverDistance.orElse(1e-2 / lambda));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException for the hinge, or a distance that cannot be proved
   */
  @Override
  public Perturbed training(Problem problem, Run run, PublicInputs inputs) {
    return new Perturbed(problem, run);
  }

  /** A run. */
  final class Perturbed extends Training {
    private final Problem problem;
    private final Run run;
    private final RegularisedMinimum minimum;

    private Perturbed(Problem problem, Run run) {
      super(OutputPerturbation.this);
      this.problem = problem;
      this.run = run;
      Require.none(whyNoRun(run.sigma(), problem, OptionalInt.empty()));
      this.minimum = minimum(problem);
    }

    /** Δ, in the norm of the weights; rounded up. */
    double sensitivity() {
      double lipschitz = Smoothness.of(problem.loss(), problem.classes()).lipschitz();
      double moved =
          problem.adjacency().sumSensitivity() * lipschitz / (weightDecay * problem.publicRows());
      return (moved + 2 * minimum.distance()) * ROUNDED_UP;
    }

    @Override
    public Mechanism mechanism() {
      return OutputPerturbation.this.mechanism(run.sigma(), problem, 1);
    }

    @Override
    public int steps() {
      return 1;
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt attempt) {
      int features = rows.blocks().columns();
      Require.none(whyNoRun(run.sigma(), problem, OptionalInt.of(features)));
      return SingleRelease.run(
          features, problem.columns(), length -> release(rows, length, attempt), attempt);
    }

    private double[] release(PrivateRows rows, int length, TrainingAttempt attempt) {
      double[] weights =
          minimum.of(
              BoundedRows.of(rows),
              new double[length],
              () -> SingleRelease.stopIfCancelled(attempt));
      NormalStream stream = attempt.noise().stream(attempt.streams().step(1));
      if (!exponential) {
        stream.addTo(weights, run.sigma().value() * sensitivity());
        return weights;
      }
      double epsilon = BudgetMethod.epsilon(run.sigma()).value();
      double[] noise = exponential(length, stream);
      for (int i = 0; i < length; i++) {
        weights[i] += noise[i] * (sensitivity() / epsilon);
      }
      return weights;
    }
  }

  /**
   * Density proportional to exp(−‖x‖): normals give the direction, and half the squares of 2d more
   * of them add up to a gamma variable of shape d.
   */
  private static double[] exponential(int length, NormalStream stream) {
    double[] normals = new double[Math.multiplyExact(3, length)];
    stream.addTo(normals, 1);
    double squares = 0;
    double twiceRadius = 0;
    for (int i = 0; i < normals.length; i++) {
      double square = normals[i] * normals[i];
      if (i < length) {
        squares += square;
      } else {
        twiceRadius += square;
      }
    }
    double[] noise = new double[length];
    for (int i = 0; i < length; i++) {
      noise[i] = normals[i] / Math.sqrt(squares) * (twiceRadius / 2);
    }
    return noise;
  }
}
