package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.model.ClipNorm;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The classic private learners (docs/classic-methods.md). Most have a budget of their own in place
 * of a noise multiplier: a μ, a ρ or an ε of the whole run. A plan looks for it by σ all the same,
 * with μ = 1/σ, ρ = 1/(2σ²) and ε = 1/σ; nothing else of the run depends on that σ.
 */
public sealed interface Classic extends MethodDefinition {
  @Override
  default double stepUnit() {
    return 1;
  }

  @Override
  default double momentum() {
    return 0;
  }

  @Override
  default Tuned tuned() {
    return Tuned.NOTHING;
  }

  @Override
  default StartRule start() {
    return new StartRule.Zero();
  }

  @Override
  default double sensitivity(Adjacency adjacency) {
    return 1;
  }

  @Override
  default boolean chargedAsOne() {
    return true;
  }

  /** What a method needs of a sweep, and what sets its release apart. */
  enum Trait {
    /** No μ of its own, so that the whole plan is fixed beforehand. */
    FIXED_PLAN,
    PUBLIC_ROWS,
    /** The guarantee is proved for replaced rows alone. */
    REPLACE_ONE,
    /** The slope of the loss must not jump. */
    SMOOTH_LOSS,
    ONE_LOGIT,
    /** Nothing of the way to the model is released. */
    LAST_MODEL_ALONE
  }

  Set<Trait> traits();

  @Override
  default boolean needsFixedPlan() {
    return traits().contains(Trait.FIXED_PLAN);
  }

  @Override
  default boolean usesPublicRows() {
    return traits().contains(Trait.PUBLIC_ROWS);
  }

  @Override
  default String released() {
    return traits().contains(Trait.LAST_MODEL_ALONE)
        ? "the final model"
        : MethodDefinition.super.released();
  }

  /** Whether its guarantee is proved for replaced rows alone. */
  default boolean replaceOneOnly() {
    return traits().contains(Trait.REPLACE_ONE);
  }

  /** Whether it needs a loss whose slope does not jump. */
  default boolean needsSmoothLoss() {
    return traits().contains(Trait.SMOOTH_LOSS);
  }

  /** Whether it needs a loss of one logit. */
  default boolean needsOneLogit() {
    return traits().contains(Trait.ONE_LOGIT);
  }

  /** Below 1/σ by more than any rounding. */
  private static double muOf(NoiseMultiplier sigma) {
    return 1 / sigma.value() * (1 - 0x1p-40);
  }

  /** ρ of a run that has the noise σ. */
  static double rhoOf(NoiseMultiplier sigma) {
    return 0.5 / sigma.value() / sigma.value();
  }

  /** ε of a run that has the noise σ. */
  static Epsilon epsilonOf(NoiseMultiplier sigma) {
    return Epsilon.of(1 / sigma.value());
  }

  /**
   * How PPSGD and PPGD adapt; as {@link io.mutune.trainer.method.Adaptation}, but for the first
   * step's ρ.
   *
   * @param firstShare of the total ρ, in (0, 1]
   */
  record AdaptationRule(
      double learningRate,
      double firstShare,
      ClipNorm clipNorm,
      double noiseRatio,
      double rhoGrowth,
      double clipRatio,
      double clipShrink,
      double weightDecay,
      Optional<Double> reuse) {}

  /**
   * PPSGD: (ρ, ω)-tCDP with the ω that the budget's ε and δ ask for.
   *
   * @param batch rows of a sample
   */
  record Ppsgd(AdaptationRule rule, long batch) implements Classic {
    @Override
    public String name() {
      return "ppsgd";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.FIXED_PLAN, Trait.PUBLIC_ROWS, Trait.REPLACE_ONE);
    }

    /** What the run may cost. */
    public TruncatedConcentratedDp total(NoiseMultiplier sigma, Budget budget) {
      double omega = TruncatedConcentratedDp.ofBudget(budget.epsilon(), budget.delta()).omega();
      return TruncatedConcentratedDp.of(rhoOf(sigma), omega);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      TruncatedConcentratedDp total = total(sigma, budget);
      return new TruncatedConcentrated(total.rho(), total.omega(), 1);
    }
  }

  /** PPGD: a total μ. */
  record Ppgd(AdaptationRule rule) implements Classic {
    @Override
    public String name() {
      return "ppgd";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.PUBLIC_ROWS);
    }

    @Override
    public Gaussian mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return new Gaussian(NoiseMultiplier.of(1), muOf(sigma), 1);
    }
  }

  /**
   * AGD, in zCDP.
   *
   * @param gradientShare of the total ρ for a gradient's first measurement, in (0, 1]
   * @param searchShare of the total ρ for a choice of step, in (0, 1]
   */
  record Agd(
      double gradientShare,
      double searchShare,
      double growth,
      ClipNorm clipNorm,
      double lossBound,
      int candidates,
      double greatestStep,
      double stepGrowth,
      int period,
      double weightDecay)
      implements Classic {
    @Override
    public String name() {
      return "agd";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.FIXED_PLAN);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return TruncatedConcentrated.ofZeroConcentrated(rhoOf(sigma), 1);
    }
  }

  /**
   * Output perturbation, with Gaussian noise or with noise of exponential norm and an ε of its own.
   *
   * @param weightDecay λ beside the mean loss, above 0
   * @param solverDistance τ; empty for a hundredth of 1/(λN)
   */
  record OutputPerturbation(double weightDecay, OptionalDouble solverDistance, boolean exponential)
      implements Classic {
    @Override
    public String name() {
      return "output-perturbation";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.SMOOTH_LOSS, Trait.LAST_MODEL_ALONE);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return exponential ? new PureDp(epsilonOf(sigma), 1) : new Gaussian(sigma, 1, 1);
    }

    /** What is ε-DP has no μ of its own. */
    @Override
    public boolean needsFixedPlan() {
      return exponential;
    }
  }

  /**
   * Objective perturbation: (ε, δ)-DP with the budget's δ.
   *
   * @param weightDecay λ beside the mean loss, above 0
   * @param solverDistance τ; empty for 1e-4/(λN)
   */
  record ObjectivePerturbation(double weightDecay, OptionalDouble solverDistance)
      implements Classic {
    @Override
    public String name() {
      return "objective-perturbation";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.FIXED_PLAN, Trait.SMOOTH_LOSS, Trait.ONE_LOGIT, Trait.LAST_MODEL_ALONE);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return new ApproximateDp(epsilonOf(sigma), budget.delta(), 1);
    }
  }

  /**
   * PNSGD. Its σ is that of its steps.
   *
   * @param shownRows how many public rows there are, as the sweep states; 0 without passes
   */
  record Pnsgd(double learningRate, double weightDecay, int publicPasses, long shownRows)
      implements Classic {
    @Override
    public String name() {
      return "pnsgd";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.FIXED_PLAN, Trait.REPLACE_ONE, Trait.SMOOTH_LOSS, Trait.LAST_MODEL_ALONE);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return io.mutune.trainer.method.Pnsgd.charge(
          sigma, Math.multiplyExact(publicPasses, shownRows));
    }

    @Override
    public boolean usesPublicRows() {
      return publicPasses > 0;
    }
  }

  /**
   * PATE.
   *
   * @param threshold in votes
   * @param thresholdRatio the deviation of the threshold's noise over that of the votes'
   * @param answers the most labels that are given, at most as many as questions
   * @param questions how many public rows there are, as the sweep states
   */
  record Pate(
      int teachers,
      double threshold,
      double thresholdRatio,
      int answers,
      int questions,
      double weightDecay)
      implements Classic {
    @Override
    public String name() {
      return "pate";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of(Trait.PUBLIC_ROWS, Trait.SMOOTH_LOSS);
    }

    /** σ₂, in votes, with which all questions together have at most μ = 1/σ. */
    public NoiseMultiplier voteSigma(NoiseMultiplier sigma) {
      double squares = questions / (thresholdRatio * thresholdRatio) + 2.0 * answers;
      return NoiseMultiplier.of(sigma.value() * Math.sqrt(squares) * (1 + 0x1p-40));
    }

    /** σ₁, in votes. */
    public NoiseMultiplier thresholdSigma(NoiseMultiplier sigma) {
      return NoiseMultiplier.of(thresholdRatio * voteSigma(sigma).value());
    }

    @Override
    public Gaussian mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return io.mutune.trainer.method.Pate.charge(
          thresholdSigma(sigma), voteSigma(sigma), questions, answers);
    }

    @Override
    public String released() {
      return "the noisy votes on the public rows, and the final model";
    }
  }

  /**
   * DP-ZO.
   *
   * @param smoothing φ, how far apart the two losses are
   * @param directionSeed public
   */
  record DpZo(ClipNorm clipNorm, double smoothing, long directionSeed, StartRule start)
      implements Classic {
    @Override
    public String name() {
      return "dp-zo";
    }

    @Override
    public Set<Trait> traits() {
      return Set.of();
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return new Gaussian(sigma, budget.adjacency().sumSensitivity(), steps);
    }

    @Override
    public double sensitivity(Adjacency adjacency) {
      return adjacency.sumSensitivity();
    }

    @Override
    public Tuned tuned() {
      return Tuned.LEARNING_RATE;
    }

    @Override
    public boolean chargedAsOne() {
      return false;
    }
  }
}
