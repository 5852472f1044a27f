package io.mutune.trainer.method.budget;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.setting.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * PPSGD (Wang and Zhou, <i>Differentially Private Learning with Small Public Data</i>, AAAI 2020,
 * Algorithm 1): stochastic gradient descent whose budget and clip norm follow the gradients of a
 * few public rows, on samples without replacement under truncated concentrated DP, and model reuse.
 *
 * <p>The whole (ρ, ω) is declared and charged beforehand; public rows and released weights alone
 * decide how it is spent. The paper lets a step's ρ grow without looking at its Theorem 4, and does
 * not ask that the sampled step's guarantee reach the run's ω. Here a first step that breaks either
 * is refused, and ρ grows no further than to {@link Sampled#greatestRho}, the last at which both
 * hold.
 *
 * <p>A row of the sample is a position from 1 to the public N: what a file has beyond takes no
 * part, what it lacks adds nothing.
 *
 * @param batch s, at least 1 and at most N/10
 */
public record Ppsgd(Adaptation adaptation, long batch) implements BudgetMethod {
  private static final double ACCURACY = 1e-9;

  /** In sweeps. */
  static final MethodType TYPE = new MethodType("ppsgd", settings(), Ppsgd::read);

  public Ppsgd {
    Require.that(batch >= 1, "rows of a sample", batch);
  }

  private static List<Setting<?>> settings() {
    List<Setting<?>> settings = new ArrayList<>(Adaptation.SETTINGS);
    settings.add(SharedSettings.BATCH_SIZE);
    return settings;
  }

  private static Ppsgd read(MethodSettings given) {
    Adaptation adaptation = Adaptation.read(given);
    // At most a tenth of the rows, as the sampling theorem needs.
    long most = Math.max(1, given.rows().orElse(1L << 40) / 10);
    Setting<Long> batch =
        Setting.count(
            SharedSettings.BATCH_SIZE.key(), 1, most, SharedSettings.BATCH_SIZE.meaning());
    String why = "ppsgd samples so many rows at each step, at most a tenth of all";
    return new Ppsgd(adaptation, given.require(batch, why).orElse(1L));
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.FIXED_PLAN, Need.PUBLIC_ROWS, Need.REPLACE_ONE);
  }

  /** What the run may cost: (ρ, ω)-tCDP with the ω that the budget's ε and δ ask for. */
  private static TruncatedConcentratedDp total(NoiseMultiplier sigma, Problem problem) {
    double omega =
        TruncatedConcentratedDp.ofBudget(problem.budget().epsilon(), problem.budget().delta())
            .omega();
    return TruncatedConcentratedDp.of(BudgetMethod.rho(sigma), omega);
  }

  /** The whole budget as one adaptive release. */
  @Override
  public TruncatedConcentrated mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return charge(total(sigma, problem));
  }

  /** Where Theorem 4 does not hold for the first step. */
  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    return adaptation.whyNoRun().or(() -> whyNoRun(total(sigma, problem), problem.publicRows()));
  }

  private Optional<String> whyNoRun(TruncatedConcentratedDp total, long rows) {
    PpsgdStep step = PpsgdStep.of(adaptation.firstShare() * total.rho(), batch, rows);
    return holds(step, total)
        ? Optional.empty()
        : Optional.of(
            ("ppsgd's theorem 4 does not hold for a first step with %s of the budget on %d of %d"
                    + " rows: %s; a smaller firstShare or a larger batchSize keeps it")
                .formatted(adaptation.firstShare(), batch, rows, why(step, total)));
  }

  private static String why(PpsgdStep step, TruncatedConcentratedDp total) {
    if (!step.rateIsSmall()) {
      return "these are more than a tenth";
    }
    if (!step.rhoIsSmall()) {
      return String.format(Locale.ROOT, "rho_s = %.3g is above 0.1", step.rhoSample());
    }
    return step.logIsLarge()
        ? String.format(
            Locale.ROOT,
            "it reaches omega %.4g, and the run's is %.4g",
            step.omegaStep(),
            total.omega())
        : String.format(Locale.ROOT, "ln(m/s) is too small for rho_s = %.3g", step.rhoSample());
  }

  private static boolean holds(PpsgdStep step, TruncatedConcentratedDp total) {
    return step.theoremApplies() && step.covers(total);
  }

  private static TruncatedConcentrated charge(TruncatedConcentratedDp total) {
    return new TruncatedConcentrated(total.rho(), total.omega(), 1);
  }

  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    return training(problem, total(run.sigma(), problem), inputs);
  }

  /**
   * A run of this total.
   *
   * @throws IllegalArgumentException if Theorem 4 does not hold for the first step, the public rows
   *     lack a class or have a label that is none, or no step fits the total
   */
  Sampled training(Problem problem, TruncatedConcentratedDp total, PublicInputs inputs) {
    return new Sampled(this, problem, total, inputs.requiredRows(problem.classes()));
  }

  /** A run. */
  static final class Sampled extends AdaptiveTraining {
    private final Ppsgd method;
    private final TruncatedConcentratedDp total;
    private final double greatestRho;

    private Sampled(
        Ppsgd method, Problem problem, TruncatedConcentratedDp total, PublicRows shown) {
      super(method, method.adaptation(), problem, shown);
      this.method = method;
      this.total = total;
      Require.replaceOne("PPSGD", problem.adjacency());
      Require.none(method.whyNoRun(total, problem.publicRows()));
      this.greatestRho = greatest();
      Require.steps(steps());
    }

    private PpsgdStep step(double rho) {
      return PpsgdStep.of(rho, method.batch(), problem.publicRows());
    }

    /** The conditions only get harder to keep as ρ grows, up to the 0.1 that ρ_s must not pass. */
    private double greatest() {
      double kept = firstRho();
      double broken = Math.max(kept, total.rho());
      if (holds(step(broken), total)) {
        return broken;
      }
      while (broken - kept > ACCURACY * kept) {
        double middle = (kept + broken) / 2;
        if (holds(step(middle), total)) {
          kept = middle;
        } else {
          broken = middle;
        }
      }
      return kept;
    }

    @Override
    public TruncatedConcentrated mechanism() {
      return charge(total);
    }

    @Override
    double firstRho() {
      return adaptation.firstShare() * total.rho();
    }

    @Override
    double totalRho() {
      return total.rho();
    }

    @Override
    double greatestRho() {
      return greatestRho;
    }

    @Override
    double divisor() {
      return method.batch();
    }

    @Override
    double deviation(double rho) {
      PpsgdStep step = step(rho);
      if (!holds(step, total)) {
        throw new IllegalStateException("theorem 4 does not hold for " + step);
      }
      return Math.nextUp(method.batch() * Math.nextUp(Math.sqrt(step.noiseVariance())));
    }

    @Override
    RowSample sample(int step, TrainingAttempt run) {
      return RowSample.withoutReplacement(
          method.batch(),
          problem.publicRows(),
          run.noise().bits(run.streams().step(step, Purpose.SAMPLE)));
    }
  }
}
