package io.mutune.trainer.method.budget;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.trainer.data.PrivateRows;
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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Objective perturbation: the minimum of a loss with a random linear term (Kifer, Smith and
 * Thakurta 2012), as Iyengar et al. 2019 make it sound for a solver that only comes near it.
 *
 * <pre>
 *   w* = argmin Σℓᵢ(w) + (Λ/2)‖w‖² + bᵀw,  b ~ N(0, σ²I),  Λ = λN     released: w* + N(0, σ₂²I)
 * </pre>
 *
 * <p><b>The minimum.</b> For one logit a row of norm at most 1 adds g = r·x with |r| ≤ L, and bᵀg
 * is r times a normal variable. The density of w* then differs between neighbours by at most the
 * factor e^U, U = c + μ²/2 + μ|Z| with Z ~ N(0, 1), μ = L/σ and c = ln(1 + H/Λ) for the
 * determinant, as the loss's curvature H at one row changes the Hessian by rank 1 (Redberg, Koskela
 * and Wang 2023, Theorem 3.1). E[(1 − e^(ε−U))₊] is twice the δ of μ-GDP at ε − c, if ε − c ≥ μ²/2.
 * If a row is replaced, μ = 2L/σ and |Z| is the greater of two such, each of variance at most 1:
 * four times. The loss need not have a second derivative everywhere: the map from b to w* is
 * Lipschitz both ways, and one almost everywhere is enough.
 *
 * <p><b>The solver.</b> It stops within τ of w* whatever the rows are ({@link RegularisedMinimum}).
 * Given w*, what is left is a point within τ of 0 with noise, a Gaussian mechanism of sensitivity
 * 2τ; it takes {@value #SHARE} of ε and of δ.
 *
 * <p>The bound on the gradients is enforced, not assumed: rows longer than 1 are shortened to 1.
 * Losses of several logits are refused, since their Hessians change by a higher rank, and so is the
 * hinge. Only the final model is ever released or stored.
 *
 * @param weightDecay λ, beside the mean loss; ln(1 + H/(λN)) must leave some of ε
 * @param solverDistance τ, how far from the minimum the solver may stop; no less than rounding may
 *     hide; empty for 1e-4/(λN)
 */
public record ObjectivePerturbation(double weightDecay, OptionalDouble solverDistance)
    implements BudgetMethod {
  /** Of ε and δ, for the noise that covers the solver's distance. */
  static final double SHARE = 0.01;

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "objective-perturbation",
          OutputPerturbation.minimumSettings(),
          given ->
              new ObjectivePerturbation(
                  OutputPerturbation.readWeightDecay(given, "objective-perturbation"),
                  OutputPerturbation.readSolverDistance(given)));

  public ObjectivePerturbation {
    Require.that(weightDecay > 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.FIXED_PLAN, Need.SMOOTH_LOSS, Need.ONE_LOGIT);
  }

  @Override
  public String released() {
    return "the final model";
  }

  /** The one release, with the budget's δ, as what the derivation above proves of it. */
  @Override
  public ApproximateDp mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return new ApproximateDp(BudgetMethod.epsilon(sigma), problem.budget().delta(), 1);
  }

  /**
   * Where ε is too small for the weight decay, the bound above does not apply, or rounding may hide
   * how far the solver stops from the minimum.
   */
  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    double epsilon = BudgetMethod.epsilon(sigma).value();
    double left = left(epsilon, problem);
    if (!(left > 0)) {
      return Optional.of(
          "weightDecay must be at least %s: %s costs epsilon %s by itself, which leaves none of %s"
              .formatted(
                  PrintedNumber.up(leastWeightDecay(epsilon, problem), DIGITS),
                  weightDecay,
                  determinant(problem),
                  epsilon));
    }
    double mu = mu(left, problem);
    if (left < mu * mu / 2 * ROUNDED_UP) {
      return Optional.of(
          ("the bound needs epsilon of at least %s for a mu of %s; had %s; a smaller delta or a"
                  + " larger weightDecay keeps it")
              .formatted(mu * mu / 2, mu, left));
    }
    int least = features.orElse(1);
    return minimum(problem).whyNotProved(least, linearNorm(least, mu, problem));
  }

  private double lambda(Problem problem) {
    return weightDecay * problem.publicRows();
  }

  private RegularisedMinimum minimum(Problem problem) {
    double lambda = lambda(problem);
    return new RegularisedMinimum(
        problem.loss(), problem.classes(), lambda, solverDistance.orElse(1e-4 / lambda));
  }

  /** c, rounded up. */
  private double determinant(Problem problem) {
    return Math.log1p(smoothness(problem).curvature() / lambda(problem)) * ROUNDED_UP;
  }

  private static Smoothness smoothness(Problem problem) {
    return Smoothness.required(problem.loss(), problem.classes());
  }

  /** What the determinant and the solver's distance leave of ε, rounded down. */
  private double left(double epsilon, Problem problem) {
    return ((1 - SHARE) * epsilon - determinant(problem)) / ROUNDED_UP;
  }

  /** λ of which c leaves a thousandth or so of ε. */
  private static double leastWeightDecay(double epsilon, Problem problem) {
    double most = Math.expm1((1 - SHARE) * epsilon / ROUNDED_UP);
    return 1.001 * smoothness(problem).curvature() / most / problem.publicRows();
  }

  /** μ = L/σ, for a row that is added or removed, or 2L/σ. */
  private static double mu(double left, Problem problem) {
    boolean replaced = problem.adjacency() == Adjacency.REPLACE_ONE;
    double delta = problem.budget().delta().value();
    double part = (1 - SHARE) * delta / ROUNDED_UP / (replaced ? 4 : 2);
    return GaussianDp.ofBudget(Epsilon.of(left), Delta.of(part)).mu().value();
  }

  private static double linearDeviation(double mu, Problem problem) {
    double moved = problem.adjacency().sumSensitivity() * smoothness(problem).lipschitz();
    return moved / mu * ROUNDED_UP;
  }

  /**
   * The norm of d normals passes √d by 10 + √(2 ln(1/δ)) with a probability below e^-50 δ, which is
   * nothing beside δ.
   */
  private static double linearNorm(int features, double mu, Problem problem) {
    double beyond = 10 + Math.sqrt(-2 * Math.log(problem.budget().delta().value()));
    return linearDeviation(mu, problem) * (Math.sqrt(features) + beyond);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the loss has several logits or a slope that jumps, or if ε
   *     is too small for the weight decay, or so large that the bound does not apply
   */
  @Override
  public Perturbed training(Problem problem, Run run, PublicInputs inputs) {
    return new Perturbed(problem, run.sigma());
  }

  /** A run. */
  final class Perturbed extends Training {
    private final Problem problem;
    private final NoiseMultiplier sigma;
    private final RegularisedMinimum minimum;

    /** σ, of each coordinate of the linear term beside the sum of the losses. */
    final double linearDeviation;

    /** σ₂, of each weight. */
    final double outputDeviation;

    private Perturbed(Problem problem, NoiseMultiplier sigma) {
      super(ObjectivePerturbation.this);
      this.problem = problem;
      this.sigma = sigma;
      if (problem.columns() != 1) {
        throw new IllegalArgumentException(
            "objective perturbation needs a loss of one logit; was '%s' for %d classes"
                .formatted(problem.loss().key(), problem.classes()));
      }
      Require.none(whyNoRun(sigma, problem, OptionalInt.empty()));
      this.minimum = minimum(problem);
      double epsilon = BudgetMethod.epsilon(sigma).value();
      this.linearDeviation = linearDeviation(mu(left(epsilon, problem), problem), problem);
      double share = SHARE / ROUNDED_UP;
      Delta delta = Delta.of(share * problem.budget().delta().value());
      double outputMu = GaussianDp.ofBudget(Epsilon.of(share * epsilon), delta).mu().value();
      this.outputDeviation = 2 * minimum.distance() / outputMu * ROUNDED_UP;
    }

    @Override
    public ApproximateDp mechanism() {
      return ObjectivePerturbation.this.mechanism(sigma, problem, 1);
    }

    @Override
    public int steps() {
      return 1;
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt run) {
      int features = rows.blocks().columns();
      Require.none(whyNoRun(sigma, problem, OptionalInt.of(features)));
      return SingleRelease.run(features, 1, length -> release(rows, length, run), run);
    }

    private double[] release(PrivateRows rows, int length, TrainingAttempt run) {
      double[] linear = new double[length];
      SingleRelease.stopIfCancelled(run);
      NormalStream stream = run.noise().stream(run.streams().step(1));
      stream.addTo(linear, linearDeviation);
      double[] weights = minimum.of(BoundedRows.of(rows), linear, () -> {});
      stream.addTo(weights, outputDeviation);
      return weights;
    }
  }
}
