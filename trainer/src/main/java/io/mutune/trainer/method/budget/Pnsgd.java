package io.mutune.trainer.method.budget;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.setting.Setting;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * PNSGD: one pass of noisy stochastic gradient descent over the private rows, then passes over the
 * public ones (Feldman, Mironov, Talwar and Thakurta 2018, with public rows last as in their
 * Corollary 30). Its privacy comes from hiding all but the last iterate.
 *
 * <pre>
 *   w ← w − η(∇ℓᵢ(w) + λw + N(0, σ²L²I))     for i = 1 … N, then for the public rows, p steps in all
 * </pre>
 *
 * <p>Every step is a contraction, as η ≤ 2/(H + λ) for a loss of curvature H at rows of norm at
 * most 1, so what a replaced row moves, 2ηL at its own step, is covered by the noise of that step
 * and of all that follow: (2L)²/(2σ²L²k) of zCDP with k steps from its own to the last (Theorem
 * 23). The worst row is the last private one: ρ = 2/(σ²(p + 1)).
 *
 * <p>Rows take part in the order of the file. Adding or removing one would move all later ones, so
 * only replacement is charged; files that stand by their names are refused, since one of another
 * name moves all between. Position i has a step whether there is a row or not, and rows beyond N
 * have none. Rows longer than 1 are shortened to 1; losses whose slope jumps are refused, since
 * their steps are no contractions. Only the final model is ever released or stored.
 *
 * <p>Its σ is that of its steps: the noise's standard deviation over the greatest norm L of a row's
 * gradient.
 *
 * @param learningRate η, above 0 and at most 2/(H + λ)
 * @param weightDecay λ, beside each row's loss; finite and at least 0
 * @param publicPasses how often the public rows are gone through at the end; at least 0
 * @param shownRows how many public rows there are, as is stated; 0 without passes
 */
public record Pnsgd(double learningRate, double weightDecay, int publicPasses, long shownRows)
    implements BudgetMethod {
  private static final Setting<Long> PUBLIC_PASSES =
      Setting.count("publicPasses", 0, 1_000_000, "").usually(0L);

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "pnsgd",
          List.<Setting<?>>of(PUBLIC_PASSES, Adaptation.LEARNING_RATE, SharedSettings.WEIGHT_DECAY),
          Pnsgd::read);

  public Pnsgd {
    Require.learningRate(learningRate);
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
    Require.that(publicPasses >= 0, "number of passes over the public rows", publicPasses);
    Require.that(shownRows >= 0, "number of public rows", shownRows);
  }

  private static Pnsgd read(MethodSettings given) {
    int passes = given.getInt(PUBLIC_PASSES);
    return new Pnsgd(
        Adaptation.readLearningRate(given),
        given.get(SharedSettings.WEIGHT_DECAY),
        passes,
        passes == 0 ? 0 : given.statedPublicRows());
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Set<Need> needs() {
    Set<Need> needs =
        EnumSet.of(Need.FIXED_PLAN, Need.REPLACE_ONE, Need.ROWS_IN_PLACE, Need.SMOOTH_LOSS);
    if (publicPasses > 0) {
      needs.add(Need.PUBLIC_ROWS);
    }
    return needs;
  }

  @Override
  public String released() {
    return "the final model";
  }

  /** ρ-zCDP of the last iterate, p steps after the last private row; rounded up. */
  @Override
  public TruncatedConcentrated mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    long lastSteps = Math.multiplyExact(publicPasses, shownRows);
    double rho = 2 / (sigma.value() * sigma.value() * (lastSteps + 1)) * ROUNDED_UP;
    return TruncatedConcentrated.ofZeroConcentrated(rho, 1);
  }

  /** Where a step is no contraction. */
  @Override
  public Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    double greatest =
        2 / (Smoothness.required(problem.loss(), problem.classes()).curvature() + weightDecay);
    return learningRate <= greatest
        ? Optional.empty()
        : Optional.of(
            "learningRate must be at most %s, up to which a step is a contraction; was %s"
                .formatted(PrintedNumber.down(greatest, DIGITS), learningRate));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a step is no contraction, neighbours are not replaced rows,
   *     or there are not as many public rows as is stated
   */
  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    Require.replaceOne("PNSGD", problem.adjacency());
    Require.none(whyNoRun(run.sigma(), problem, OptionalInt.empty()));
    return new LastIterate(
        problem,
        run,
        publicPasses > 0 ? inputs.stated(shownRows, problem.classes()) : PublicRows.none());
  }

  /** A run. */
  private final class LastIterate extends Training {
    private final Problem problem;
    private final Run run;
    private final PublicRows shown;

    /**
     * @param shown the public rows, which no private row equals by anything but chance
     */
    LastIterate(Problem problem, Run run, PublicRows shown) {
      super(Pnsgd.this);
      this.problem = problem;
      this.run = run;
      this.shown = BoundedRows.of(shown);
    }

    @Override
    public TruncatedConcentrated mechanism() {
      return Pnsgd.this.mechanism(run.sigma(), problem, 1);
    }

    @Override
    public int steps() {
      return 1;
    }

    @Override
    public OptionalInt features() {
      return publicPasses > 0 ? OptionalInt.of(shown.blocks().columns()) : OptionalInt.empty();
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt attempt) {
      int features = rows.blocks().columns();
      features().ifPresent(needed -> StartWeights.checkFeatures(features, needed));
      return SingleRelease.run(
          features, problem.columns(), length -> release(rows, length, attempt), attempt);
    }

    private double[] release(PrivateRows rows, int length, TrainingAttempt attempt) {
      SingleRelease.stopIfCancelled(attempt);
      // Cancelling later would leave noise that was drawn and must not be drawn again.
      NormalStream stream = attempt.noise().stream(attempt.streams().step(1));
      Walk walk = new Walk(length, stream);
      walk.over(BoundedRows.of(rows).blocks(), problem.publicRows());
      for (int pass = 0; pass < publicPasses; pass++) {
        walk.over(shown.blocks(), shown.blocks().rows());
      }
      return walk.weights;
    }

    /** The hidden iterate. */
    private final class Walk {
      private final double[] weights;
      private final double[] gradient;
      private final NormalStream stream;
      private final RowGradient row;
      private final double deviation;

      Walk(int length, NormalStream stream) {
        this.weights = new double[length];
        this.gradient = new double[length];
        this.stream = stream;
        this.row = new RowGradient(problem.loss(), problem.classes());
        this.deviation =
            run.sigma().value()
                * Smoothness.of(problem.loss(), problem.classes()).lipschitz()
                * ROUNDED_UP;
      }

      /** So many steps: one a row, and without a row where they run out. */
      void over(RowBlocks rows, long steps) {
        long left = steps;
        for (RowBlocks.Block block : rows.blocks()) {
          for (int i = 0; i < block.rows() && left > 0; i++, left--) {
            row.compute(block.features(), i * rows.columns(), block.labels()[i], weights, gradient);
            step();
          }
        }
        for (; left > 0; left--) {
          Arrays.fill(gradient, 0);
          step();
        }
      }

      private void step() {
        stream.addTo(gradient, deviation);
        for (int i = 0; i < weights.length; i++) {
          double direction = gradient[i] + weightDecay * weights[i];
          weights[i] -= learningRate * direction;
        }
      }
    }
  }
}
