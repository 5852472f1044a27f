package io.mutune.trainer.method;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Training without noise on rows that are declared public: it takes no others, so it costs nothing.
 * On the few public rows of a study this is the baseline <i>only public</i>, and AdaMix's
 * pretraining; on all rows of a data set that is public it is <i>not private</i>.
 *
 * <p>Minimises (1/n)Σℓ(w) + (λ/2)‖w‖² from zero by Nesterov's accelerated gradient, restarted
 * whenever the momentum points uphill (O'Donoghue and Candès 2015), with a step of 1/L for the
 * steepest L that two gradients have shown so far. Deterministic. <i>Converged</i> means that the
 * gradient's norm is at most {@code tolerance} times what it was at the start; for λ above 0 that
 * bounds the distance to the minimum by that norm over λ.
 */
public record PublicTraining(Settings settings) {
  /** No gradient of a finite row is clipped to this. */
  private static final ClipNorm UNCLIPPED = ClipNorm.of(1e30);

  /**
   * How to train.
   *
   * @param classes as many as the loss is made for
   * @param weightDecay λ, beside the <i>mean</i> of the rows' losses; finite and at least 0
   * @param tolerance above 0 and below 1
   * @param maxSteps after which it stops unconverged; at least 1
   */
  public record Settings(
      Loss loss, int classes, double weightDecay, double tolerance, int maxSteps) {
    public Settings {
      loss.columns(classes);
      Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
      Require.that(tolerance > 0 && tolerance < 1, "tolerance", tolerance);
      Require.steps(maxSteps);
    }
  }

  /**
   * A trained model.
   *
   * @param steps gradients taken
   * @param converged whether the tolerance was reached
   */
  public record Outcome(LinearModel model, int steps, boolean converged) {}

  /**
   * Trains from zero on few rows.
   *
   * @param cancelled looked at before every gradient
   * @throws IllegalArgumentException if there are no rows, a label is no class, or a class has no
   *     row
   * @throws TrainingCancelled within a step of the request
   */
  public Outcome train(PublicRows rows, BooleanSupplier cancelled) {
    require(rows);
    PublicGradients gradients = new PublicGradients(rows, settings.loss(), settings.classes());
    return descend(rows, gradients::compute, cancelled);
  }

  /**
   * The same for rows that take long.
   *
   * @param engine one that sums in double: there is no clip norm here that others are accurate by
   * @throws IllegalArgumentException as above, or if the engine does not sum in double
   */
  public Outcome train(PublicRows rows, Engine engine, BooleanSupplier cancelled) {
    if (!engine.sumsInDouble()) {
      throw new IllegalArgumentException("sums that are not clipped need an engine in double");
    }
    require(rows);
    // Public rows may go where private ones do; the other way round would be the mistake.
    PrivateRows asRows = new PrivateRows(rows.blocks().withoutUnits());
    try (ClippedSum sum = engine.open(asRows, settings.loss(), settings.classes(), UNCLIPPED)) {
      return descend(rows, sum::compute, cancelled);
    }
  }

  private void require(PublicRows rows) {
    if (rows.blocks().realTargets()) {
      Require.that(rows.count() > 0, "number of rows", rows.count());
    } else {
      PublicRowsCheck.require(rows, settings.classes());
    }
  }

  /**
   * Goes down from zero.
   *
   * @param sum writes Σ ∇ℓ(w) of its first array into its second
   */
  private Outcome descend(
      PublicRows rows, BiConsumer<double[], double[]> sum, BooleanSupplier cancelled) {
    int features = rows.blocks().columns();
    int columns = settings.loss().columns(settings.classes());
    return new Run(sum, rows.blocks().rows(), Math.multiplyExact(features, columns), cancelled)
        .descend(features, columns);
  }

  /** One run's arrays. */
  private final class Run {
    private final BiConsumer<double[], double[]> sum;
    private final long rows;
    private final BooleanSupplier cancelled;
    private double[] best;
    private double[] ahead;
    private double[] gradient;
    private double[] next;

    Run(BiConsumer<double[], double[]> sum, long rows, int length, BooleanSupplier cancelled) {
      this.cancelled = cancelled;
      this.sum = sum;
      this.rows = rows;
      this.best = new double[length];
      this.ahead = new double[length];
      this.gradient = new double[length];
      this.next = new double[length];
    }

    Outcome descend(int features, int columns) {
      gradientAt(ahead, gradient);
      double enough = settings.tolerance() * EuclideanNorm.of(gradient);
      double steepness = firstSteepness();
      int sinceRestart = 0;
      int step = 0;
      while (EuclideanNorm.of(gradient) > enough && step < settings.maxSteps()) {
        if (cancelled.getAsBoolean()) {
          throw new TrainingCancelled(step, settings.maxSteps());
        }
        step++;
        double uphill = 0;
        double[] ahead0 = ahead.clone();
        for (int i = 0; i < best.length; i++) {
          double moved = ahead[i] - gradient[i] / steepness;
          uphill += gradient[i] * (moved - best[i]);
          double momentum = sinceRestart / (sinceRestart + 3.0);
          ahead[i] = moved + momentum * (moved - best[i]);
          best[i] = moved;
        }
        if (uphill > 0) {
          sinceRestart = 0;
          System.arraycopy(best, 0, ahead, 0, best.length);
        } else {
          sinceRestart++;
        }
        gradientAt(ahead, next);
        double seen = ratio(next, gradient, ahead, ahead0);
        if (seen > steepness) {
          steepness = 2 * seen;
          sinceRestart = 0;
          System.arraycopy(best, 0, ahead, 0, best.length);
          gradientAt(ahead, next);
        }
        double[] spent = gradient;
        gradient = next;
        next = spent;
      }
      return new Outcome(
          new LinearModel(features, columns, ahead), step, EuclideanNorm.of(gradient) <= enough);
    }

    /** From a step so small that it stays in the neighbourhood. */
    private double firstSteepness() {
      double size = EuclideanNorm.of(gradient);
      if (size == 0) {
        return 1;
      }
      double[] probe = new double[ahead.length];
      for (int i = 0; i < probe.length; i++) {
        probe[i] = ahead[i] - 1e-3 * gradient[i] / size;
      }
      gradientAt(probe, next);
      double seen = ratio(next, gradient, probe, ahead);
      return seen > 0 ? 2 * seen : 1;
    }

    private void gradientAt(double[] weights, double[] result) {
      sum.accept(weights, result);
      for (int i = 0; i < result.length; i++) {
        result[i] = result[i] / rows + settings.weightDecay() * weights[i];
      }
    }

    /** ‖a − b‖/‖x − y‖, 0 where x is y. */
    private static double ratio(double[] a, double[] b, double[] x, double[] y) {
      double above = 0;
      double below = 0;
      for (int i = 0; i < a.length; i++) {
        above += (a[i] - b[i]) * (a[i] - b[i]);
        below += (x[i] - y[i]) * (x[i] - y[i]);
      }
      return below == 0 ? 0 : Math.sqrt(above / below);
    }
  }
}
