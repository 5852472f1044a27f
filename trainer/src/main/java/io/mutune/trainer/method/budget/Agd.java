package io.mutune.trainer.method.budget;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * AGD, adaptive gradient descent (Lee and Kifer 2018): each iteration measures the gradient, then
 * looks along it for the best of a few step sizes by a noisy minimum; where staying seems best, the
 * gradient is measured more closely with a larger budget and the search is repeated.
 *
 * <p>The total ρ of zCDP is declared and charged beforehand; released values decide how it is
 * spent. Every release is one step here:
 *
 * <ul>
 *   <li>a gradient sum of norm at most C a row with noise sC/√(2ρ), s being the adjacency's 1 or 2;
 *   <li>its refinement by a second measurement of γρ, averaged with weights ρ and γρ;
 *   <li>a choice among step sizes by the sum of losses, each held in [0, B]. The paper adds Laplace
 *       noise and charges ε²/2; this is the exponential mechanism at ε = √(8ρ), whose range is
 *       bounded by ε, so that ε²/8 = ρ is enough (Cesar and Rogers 2021). Adding a row moves all
 *       sums up, by at most B, replacing one by at most B either way.
 * </ul>
 *
 * <p>Sums are never divided by a private count; the objective has N·(λ/2)‖w‖² with the public N.
 *
 * @param gradientShare of the total ρ for a gradient's first measurement, in (0, 1]
 * @param searchShare of the total ρ for every choice, in (0, 1]
 * @param growth γ, in (0, 1]
 * @param clipNorm C
 * @param lossBound B, finite and above 0
 * @param candidates how many step sizes are looked at beside 0, evenly spaced; at least 1
 * @param greatestStep the largest of them at first, in the norm of the weights
 * @param stepGrowth by how much the largest exceeds the largest that was chosen in the last {@code
 *     period} moves, when it is set anew; at least 0
 * @param period at least 1
 * @param weightDecay λ, beside the mean loss; finite and at least 0
 */
public record Agd(
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
    implements BudgetMethod {
  private static final Setting<Double> GRADIENT_SHARE =
      Setting.number("gradientShare", NumberRule.SHARE, "of the total, for a gradient")
          .usually(1.0 / 30);
  private static final Setting<Double> SEARCH_SHARE =
      Setting.number("searchShare", NumberRule.SHARE, "of the total, for a choice of step")
          .usually(1.0 / 60);
  private static final Setting<Double> GROWTH =
      Setting.number("growth", NumberRule.SHARE, "").usually(0.1);
  private static final Setting<Double> LOSS_BOUND =
      Setting.number("lossBound", NumberRule.HYPERPARAMETER, "").usually(2.0);
  private static final Setting<Long> CANDIDATES =
      Setting.count("candidates", 1, 1_000_000, "").usually(10L);
  private static final Setting<Double> GREATEST_STEP =
      Setting.number("greatestStep", NumberRule.HYPERPARAMETER, "").usually(2.0);
  private static final Setting<Double> STEP_GROWTH =
      Setting.number("stepGrowth", NumberRule.NOT_NEGATIVE, "").usually(0.1);
  private static final Setting<Long> PERIOD =
      Setting.count("period", 1, 1_000_000, "").usually(10L);

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "agd",
          List.<Setting<?>>of(
              GRADIENT_SHARE,
              SEARCH_SHARE,
              GROWTH,
              SharedSettings.CLIP_NORM,
              LOSS_BOUND,
              CANDIDATES,
              GREATEST_STEP,
              STEP_GROWTH,
              PERIOD,
              SharedSettings.WEIGHT_DECAY),
          given ->
              new Agd(
                  given.get(GRADIENT_SHARE),
                  given.get(SEARCH_SHARE),
                  given.get(GROWTH),
                  SharedSettings.readClipNorm(given),
                  given.get(LOSS_BOUND),
                  given.getInt(CANDIDATES),
                  given.get(GREATEST_STEP),
                  given.get(STEP_GROWTH),
                  given.getInt(PERIOD),
                  given.get(SharedSettings.WEIGHT_DECAY)));

  public Agd {
    Require.that(gradientShare > 0 && gradientShare <= 1, "gradient's share", gradientShare);
    Require.that(searchShare > 0 && searchShare <= 1, "search's share", searchShare);
    Require.that(growth > 0 && growth <= 1, "growth", growth);
    Require.that(lossBound > 0 && Double.isFinite(lossBound), "loss bound", lossBound);
    Require.that(candidates >= 1, "number of candidates", candidates);
    Require.that(greatestStep > 0 && Double.isFinite(greatestStep), "step", greatestStep);
    Require.that(stepGrowth >= 0 && Double.isFinite(stepGrowth), "step growth", stepGrowth);
    Require.that(period >= 1, "period", period);
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public boolean sumsLosses() {
    return true;
  }

  @Override
  public boolean sumsOnMachines() {
    return true;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.FIXED_PLAN);
  }

  /** The whole budget as one adaptive release. */
  @Override
  public TruncatedConcentrated mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return TruncatedConcentrated.ofZeroConcentrated(BudgetMethod.rho(sigma), 1);
  }

  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    double totalRho = BudgetMethod.rho(run.sigma());
    Require.that(totalRho > 0 && Double.isFinite(totalRho), "total rho", totalRho);
    Require.none(whyNoRun(run.sigma(), problem, OptionalInt.empty()));
    return new Searching(problem, totalRho, mechanism(run.sigma(), problem, run.steps()));
  }

  /** Where the cheapest step is so cheap that the whole pays for more than an int can count. */
  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    double steps = 1 / Math.min(searchShare, growth * gradientShare);
    return steps < Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the least of searchShare and growth times gradientShare is so small that %.3g"
                    + " steps could be made, where fewer than 2^31 are",
                steps));
  }

  /** A run. */
  private final class Searching extends Training {
    private final Problem problem;
    private final double totalRho;
    private final TruncatedConcentrated mechanism;

    Searching(Problem problem, double totalRho, TruncatedConcentrated mechanism) {
      super(Agd.this);
      this.problem = problem;
      this.totalRho = totalRho;
      this.mechanism = mechanism;
    }

    @Override
    public TruncatedConcentrated mechanism() {
      return mechanism;
    }

    /** At most how many releases the total pays for. */
    @Override
    public int steps() {
      double least = Math.min(searchShare * totalRho, growth * (gradientShare * totalRho));
      return (int) Math.floor(totalRho / least);
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt run) {
      int features = rows.blocks().columns();
      int length = Math.multiplyExact(features, problem.columns());
      try (AgdDescent descent = AgdDescent.of(Agd.this, problem, totalRho, length, rows, run)) {
        StepLoop.run(steps(), descent, run);
        return new LinearModel(features, problem.columns(), descent.iterate().weights());
      }
    }
  }
}
