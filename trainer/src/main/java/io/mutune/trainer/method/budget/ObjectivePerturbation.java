package io.mutune.trainer.method.budget;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
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
import io.mutune.trainer.method.TrainingRun;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;
import java.util.OptionalDouble;
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
 * @param solverDistance τ, how far from the minimum the solver may stop; at least 1e-9·L/(λN), and
 *     no less than rounding may hide; empty for 1e-4/(λN)
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
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the loss has several logits or a slope that jumps, or if ε
   *     is too small for the weight decay, or so large that the bound does not apply
   */
  @Override
  public Perturbed training(Problem problem, Run run, PublicInputs inputs) {
    return new Perturbed(problem, mechanism(run.sigma(), problem, 1));
  }

  /** A run. */
  final class Perturbed extends Training {
    private final ApproximateDp charge;
    private final RegularisedMinimum minimum;

    /** σ, of each coordinate of the linear term beside the sum of the losses. */
    final double linearDeviation;

    /** σ₂, of each weight. */
    final double outputDeviation;

    private Perturbed(Problem problem, ApproximateDp charge) {
      super(ObjectivePerturbation.this);
      this.charge = charge;
      if (problem.columns() != 1) {
        throw new IllegalArgumentException(
            "objective perturbation needs a loss of one logit; was '%s' for %d classes"
                .formatted(problem.loss().key(), problem.classes()));
      }
      double lambda = weightDecay * problem.publicRows();
      double distance = solverDistance.orElse(1e-4 / lambda);
      this.minimum =
          new RegularisedMinimum(problem.loss(), problem.classes(), lambda, distance).provedFor();
      Smoothness smoothness = Smoothness.required(problem.loss(), problem.classes());
      double epsilon = charge.epsilon().value();
      double delta = charge.delta().value();
      double determinant = Math.log1p(smoothness.curvature() / lambda) * ROUNDED_UP;
      double left = ((1 - SHARE) * epsilon - determinant) / ROUNDED_UP;
      if (!(left > 0)) {
        throw new IllegalArgumentException(
            "a weight decay of %s costs epsilon %s by itself, which leaves none of %s"
                .formatted(weightDecay, determinant, epsilon));
      }
      boolean replaced = problem.adjacency() == Adjacency.REPLACE_ONE;
      double part = (1 - SHARE) * delta / ROUNDED_UP / (replaced ? 4 : 2);
      double mu = GaussianDp.ofBudget(Epsilon.of(left), Delta.of(part)).mu().value();
      if (left < mu * mu / 2 * ROUNDED_UP) {
        throw new IllegalArgumentException(
            "the bound needs epsilon of at least %s for a mu of %s; had %s"
                .formatted(mu * mu / 2, mu, left));
      }
      double moved = problem.adjacency().sumSensitivity() * smoothness.lipschitz();
      this.linearDeviation = moved / mu * ROUNDED_UP;
      double share = SHARE / ROUNDED_UP;
      double outputMu =
          GaussianDp.ofBudget(Epsilon.of(share * epsilon), Delta.of(share * delta)).mu().value();
      this.outputDeviation = 2 * distance / outputMu * ROUNDED_UP;
    }

    @Override
    public ApproximateDp mechanism() {
      return charge;
    }

    @Override
    public int steps() {
      return 1;
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingRun run) {
      int features = rows.blocks().columns();
      checkFeatures(features);
      return new LinearModel(
          features, 1, SingleRelease.run(features, () -> release(rows, features, run), run));
    }

    /**
     * The norm of d normals passes √d by 10 + √(2 ln(1/δ)) with a probability below e^-50 δ, which
     * is nothing beside δ.
     */
    @Override
    public void checkFeatures(int features) {
      double beyond = 10 + Math.sqrt(-2 * Math.log(charge.delta().value()));
      double linearNorm = linearDeviation * (Math.sqrt(features) + beyond);
      minimum.provedFor(features, linearNorm);
    }

    private double[] release(PrivateRows rows, int length, TrainingRun run) {
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
