package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Noisy gradient descent over all rows: Algorithm 1 of Panda et al., <i>A New Linear Scaling Rule
 * for Private Adaptive Hyperparameter Optimization</i> (ICML 2024), from zero weights.
 *
 * <pre>
 *   g ← (Σ clip_C(∇ℓ(w)) + N(0, σ²C²I)) / N      v ← βv + g      w ← w − ηv
 * </pre>
 *
 * <p>The paper divides by the number of rows, which is private under add/remove; N here is the
 * public one. The <i>free step</i> is one more w ← w − ηv at the end, which reads no row.
 *
 * <p>With a {@link Restraint} and a start it is Algorithm 1 of AdaMix (Golatkar et al., CVPR 2022)
 * as well, in the same units: AdaMix steps along the sum, so its η_t is η/N here. From zero,
 * without public rows, it is what that paper calls <i>fully private</i>.
 */
public final class NoisyGd implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param learningRate η, finite and above 0
   * @param steps T, at least 1
   * @param momentum β, in [0, 1)
   * @param freeStep whether to end with a step without a gradient
   * @param clipNorm C
   * @param sigma σ, the noise's standard deviation over C
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   * @param classes as many as the loss is made for
   * @param start w₁, a public model; zero weights where there is none
   * @param rounding whether sums are rounded to a grid before their noise
   */
  public record Settings(
      double learningRate,
      int steps,
      double momentum,
      boolean freeStep,
      ClipNorm clipNorm,
      NoiseMultiplier sigma,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes,
      Optional<LinearModel> start,
      Restraint restraint,
      Optional<SumRounding> rounding) {
    public Settings {
      SumRounding.checkColumns(rounding, loss.columns(classes));
      Require.learningRate(learningRate);
      Require.steps(steps);
      Require.momentum(momentum);
      Require.publicRows(publicRows);
      StartWeights.check(start, loss.columns(classes));
      if (freeStep && restraint.averaged()) {
        throw new IllegalArgumentException("an average of the weights leaves no free step to take");
      }
      start.ifPresent(model -> StartWeights.checkWithin(model, restraint.radius()));
    }

    /** Without rounding. */
    public Settings(
        double learningRate,
        int steps,
        double momentum,
        boolean freeStep,
        ClipNorm clipNorm,
        NoiseMultiplier sigma,
        Adjacency adjacency,
        long publicRows,
        Loss loss,
        int classes,
        Optional<LinearModel> start,
        Restraint restraint) {
      this(
          learningRate,
          steps,
          momentum,
          freeStep,
          clipNorm,
          sigma,
          adjacency,
          publicRows,
          loss,
          classes,
          start,
          restraint,
          Optional.empty());
    }

    /** From zero weights, without restraint: linear scaling's. */
    public Settings(
        double learningRate,
        int steps,
        double momentum,
        boolean freeStep,
        ClipNorm clipNorm,
        NoiseMultiplier sigma,
        Adjacency adjacency,
        long publicRows,
        Loss loss,
        int classes) {
      this(
          learningRate,
          steps,
          momentum,
          freeStep,
          clipNorm,
          sigma,
          adjacency,
          publicRows,
          loss,
          classes,
          Optional.empty(),
          Restraint.NONE);
    }
  }

  private final Settings settings;

  public NoisyGd(Settings settings) {
    this.settings = settings;
  }

  /** What training asks of the rows: T sums of norm at most C a row, in units of C. */
  @Override
  public Gaussian mechanism() {
    return new Gaussian(settings.sigma(), sensitivity(), settings.steps());
  }

  private double sensitivity() {
    return settings
        .rounding()
        .map(sums -> sums.sensitivity(settings.adjacency(), settings.clipNorm()))
        .orElse((double) settings.adjacency().sumSensitivity());
  }

  @Override
  public Optional<Grid> grid() {
    return SumRounding.grid(settings.rounding());
  }

  @Override
  public int steps() {
    return settings.steps();
  }

  @Override
  public OptionalInt features() {
    return StartWeights.features(settings.start());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    SumRounding.checkFeatures(settings.rounding(), rows);
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    double[] start = StartWeights.of(settings.start(), features, columns);
    double[] weights =
        Descent.run(settings.steps(), start, rule(start), () -> question(rows, run), run);
    return new LinearModel(features, columns, weights);
  }

  /**
   * The weights that a run releases after its last iterate, which asks no row: the free step, the
   * ball and the average are taken by released values alone.
   *
   * @param last iterate of a run of all {@code steps}
   */
  public static double[] released(
      Iterate last,
      double learningRate,
      int steps,
      double momentum,
      boolean freeStep,
      Restraint restraint) {
    Momentum plain = new Momentum(learningRate, momentum, freeStep);
    double[] weights = last.weights().clone();
    UpdateRule rule =
        restraint.equals(Restraint.NONE)
            ? plain
            : new RestrainedMomentum(plain, restraint, weights, 1, steps);
    return rule.released(weights, last.memory());
  }

  private UpdateRule rule(double[] start) {
    Momentum plain =
        new Momentum(settings.learningRate(), settings.momentum(), settings.freeStep());
    return settings.restraint().equals(Restraint.NONE)
        ? plain
        : new RestrainedMomentum(
            plain, settings.restraint(), start, settings.publicRows(), settings.steps());
  }

  private Question question(PrivateRows rows, TrainingRun run) {
    ClippedSum sum =
        run.engine().open(rows, settings.loss(), settings.classes(), settings.clipNorm());
    return new NoisySum(sum, settings.clipNorm(), settings.sigma(), 1, settings.publicRows(), run);
  }
}
