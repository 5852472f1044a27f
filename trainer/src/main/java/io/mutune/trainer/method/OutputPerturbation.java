package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.NormalStream;

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
 */
public final class OutputPerturbation implements TrainingMethod {
  /** Which noise is added. */
  public sealed interface Noise {
    /** N(0, σ²Δ²) on every weight: exactly Gaussian DP. */
    record Normal(NoiseMultiplier sigma) implements Noise {}

    /**
     * Density proportional to exp(−ε‖η‖/Δ): ε-DP. A direction, uniform on the sphere, times a
     * radius of the gamma law of shape d and scale Δ/ε, for d weights. The lecture on DP-SGD and
     * PATE prints the exponent upside down.
     *
     * @param epsilon above 0
     */
    record Exponential(Epsilon epsilon) implements Noise {
      public Exponential {
        Require.that(epsilon.value() > 0, "epsilon", epsilon.value());
      }
    }
  }

  /**
   * The method's hyperparameters; all public.
   *
   * @param weightDecay λ, beside the mean loss; finite and above 0
   * @param distance τ, how far from the minimum the solver may stop; at least 1e-9·L/(λN), and no
   *     less than rounding may hide
   * @param adjacency which neighbours the charge is for
   * @param publicRows N, at least 1
   * @param loss one whose slope does not jump
   * @param classes as many as the loss is made for
   */
  public record Settings(
      double weightDecay,
      double distance,
      Noise noise,
      Adjacency adjacency,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      Require.publicRows(publicRows);
      // Refuses the rest.
      new RegularisedMinimum(loss, classes, weightDecay * publicRows, distance).provedFor();
    }
  }

  /** For the rounding of Δ and of the noise's deviation. */
  private static final double ROUNDED_UP = 1 + 0x1p-40;

  private final Settings settings;
  private final RegularisedMinimum minimum;

  public OutputPerturbation(Settings settings) {
    this.settings = settings;
    this.minimum =
        new RegularisedMinimum(
            settings.loss(),
            settings.classes(),
            settings.weightDecay() * settings.publicRows(),
            settings.distance());
  }

  /** Δ, in the norm of the weights; rounded up. */
  public double sensitivity() {
    double lipschitz = Smoothness.of(settings.loss(), settings.classes()).lipschitz();
    double moved =
        settings.adjacency().sumSensitivity()
            * lipschitz
            / (settings.weightDecay() * settings.publicRows());
    return (moved + 2 * settings.distance()) * ROUNDED_UP;
  }

  /** One release, in units of Δ. */
  @Override
  public Mechanism mechanism() {
    return settings.noise() instanceof Noise.Normal normal
        ? new Gaussian(normal.sigma(), 1, 1)
        : new PureDp(((Noise.Exponential) settings.noise()).epsilon(), 1);
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    int features = rows.blocks().columns();
    checkFeatures(features);
    int columns = settings.loss().columns(settings.classes());
    int length = Math.multiplyExact(features, columns);
    return new LinearModel(
        features, columns, FinalRelease.run(length, () -> release(rows, length, run), run));
  }

  @Override
  public void checkFeatures(int features) {
    minimum.provedFor(features, 0);
  }

  private double[] release(PrivateRows rows, int length, TrainingRun run) {
    double[] weights =
        minimum.of(
            BoundedRows.of(rows), new double[length], () -> FinalRelease.stopIfCancelled(run));
    NormalStream stream = run.noise().stream(run.streams().step(1));
    if (settings.noise() instanceof Noise.Normal normal) {
      stream.addTo(weights, normal.sigma().value() * sensitivity());
    } else {
      double epsilon = ((Noise.Exponential) settings.noise()).epsilon().value();
      double[] noise = exponential(length, stream);
      for (int i = 0; i < length; i++) {
        weights[i] += noise[i] * (sensitivity() / epsilon);
      }
    }
    return weights;
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
