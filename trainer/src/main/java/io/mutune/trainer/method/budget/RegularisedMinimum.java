package io.mutune.trainer.method.budget;

import io.mutune.accountant.PrintedNumber;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.Require;
import java.util.Optional;

/**
 * The minimum of J(w) = Σℓᵢ(w) + bᵀw + (Λ/2)‖w‖² over rows of norm at most 1, to within a distance
 * that holds for all rows: J is Λ-strongly convex, so ‖w − w*‖ ≤ ‖∇J(w)‖/Λ. By Nesterov's method
 * for strongly convex J. What it computes is private, how long it takes included.
 */
final class RegularisedMinimum {
  /** n: so many rows are covered, whatever the public number is; no study holds more. */
  private static final double MOST_ROWS = 0x1p31;

  /**
   * Above the second order of all that, rows that are a rounding of float32 longer than 1 included.
   */
  private static final double ROUNDED_UP = 1.01;

  /**
   * Above what rounding makes of a row's gradient and a clip norm's margin: nothing is ever
   * clipped.
   */
  private static final double UNCLIPPED = 1 + 1e-3;

  private final Loss loss;
  private final int classes;
  private final Smoothness smoothness;
  private final double lambda;
  private final double distance;

  /**
   * @param lambda Λ, beside the sum of the losses; above 0
   * @param distance τ, how far from the minimum the result may be; above 0
   * @throws IllegalArgumentException for a loss whose slope jumps
   */
  RegularisedMinimum(Loss loss, int classes, double lambda, double distance) {
    this.loss = loss;
    this.classes = classes;
    this.smoothness = Smoothness.required(loss, classes);
    Require.that(lambda > 0 && Double.isFinite(lambda), "weight decay", lambda);
    Require.that(distance > 0 && Double.isFinite(distance), "distance to the minimum", distance);
    this.lambda = lambda;
    this.distance = distance;
  }

  /** τ. */
  double distance() {
    return distance;
  }

  /**
   * Why the distance is one that rounding may hide, of the logits, the residuals and the sums,
   * whatever the rows are and however many; empty where it is not.
   *
   * @param features d of a row, or the least that it can be, since more of them round more
   * @param linearNorm at least ‖b‖ of so many
   */
  Optional<String> whyNotProved(int features, double linearNorm) {
    if (isProved(features, linearNorm)) {
      return Optional.empty();
    }
    // Rounding hardly depends on the distance, so the first or second is enough, if any is.
    RegularisedMinimum enough = this;
    for (int i = 0; i < 10 && !enough.isProved(features, linearNorm); i++) {
      double further = 2.001 * enough.roundingOfGradient(features, linearNorm) / lambda;
      enough = new RegularisedMinimum(loss, classes, lambda, further);
    }
    return Optional.of(
        enough.isProved(features, linearNorm)
            ? "solverDistance must be at least %s, below which rounding may hide it; was %s"
                .formatted(PrintedNumber.up(enough.distance, BudgetMethod.DIGITS), distance)
            : "weightDecay must be larger: rounding may hide any solverDistance");
  }

  /** Λτ/2 is what the gradient's norm may show where the solver stops. */
  private boolean isProved(int features, double linearNorm) {
    return roundingOfGradient(features, linearNorm) <= lambda * distance / 2;
  }

  /**
   * How far a gradient in double is from the exact one at most where the solver stops, rounded up,
   * for n up to 2^31 rows. There the gradient that is seen is at most Λτ/2, and the losses' part of
   * it at most nL, so ‖w‖ ≤ (nL + ‖b‖)/Λ + τ. With the rounding at weights so long, w is near the
   * minimum, where J is at most the n·c of zero weights for c logits: ‖w*‖ ≤ 2‖b‖/Λ + √(2nc/Λ).
   */
  double roundingOfGradient(int features, double linearNorm) {
    double losses = MOST_ROWS * smoothness.lipschitz();
    double furthest = (losses + linearNorm) / lambda + distance;
    double there = roundingOfGradient(features, linearNorm, furthest);
    double ofMinimum =
        2 * linearNorm / lambda + Math.sqrt(2 * MOST_ROWS * loss.columns(classes) / lambda);
    double nearer = (ofMinimum + distance / 2 + there / lambda) * ROUNDED_UP;
    return roundingOfGradient(features, linearNorm, Math.min(furthest, nearer));
  }

  /**
   * The same at weights of norm up to W, with u = 2^-53:
   *
   * <ul>
   *   <li>All of a row's logits together are off by at most d·2^-80·W before their last rounding
   *       ({@link Engine#REFERENCE}), which moves the residual by the loss's curvature times that.
   *       The last rounding moves it by Ku, and its evaluation by 8u(c + L + 1) for c logits.
   *   <li>The product of residual and row rounds by 2uL, and adding them up by n²L·2^-105.
   *   <li>The sum becomes a double, and b and Λw are added, with eight roundings of numbers of norm
   *       at most nL + ‖b‖ + ΛW.
   * </ul>
   */
  private double roundingOfGradient(int features, double linearNorm, double furthest) {
    double slope = smoothness.lipschitz();
    int columns = loss.columns(classes);
    double ofRow =
        smoothness.curvature() * features * furthest * 0x1p-80
            + (smoothness.relative() + 8 * (columns + slope + 1) + 2 * slope) * 0x1p-53
            + MOST_ROWS * slope * 0x1p-105;
    double ofSum = 8 * (MOST_ROWS * slope + linearNorm + lambda * furthest) * 0x1p-53;
    return (MOST_ROWS * ofRow + ofSum) * ROUNDED_UP;
  }

  /**
   * Minimises in double, whatever engine a run has: a gradient in float32 hides how far the minimum
   * is.
   *
   * @param rows of norm at most 1
   * @param linear b, {@code [features, columns]}, row-major
   * @param stop called before every gradient; throws to stop
   */
  double[] of(PrivateRows rows, double[] linear, Runnable stop) {
    return roundedBy(Engine.REFERENCE, rows, linear, stop);
  }

  /** The same with sums as an engine rounds them, for results of which no distance has to hold. */
  double[] roundedBy(ClippedSums engine, PrivateRows rows, double[] linear, Runnable stop) {
    ClipNorm unclipped = ClipNorm.of(smoothness.lipschitz() * UNCLIPPED);
    try (ClippedSum sum = engine.open(rows, loss, classes, unclipped)) {
      return descend(sum, rowsThatAdd(rows.blocks()), linear, stop);
    }
  }

  /** A row that adds nothing to the sum must not even change how the minimum is found. */
  private long rowsThatAdd(RowBlocks rows) {
    int columns = rows.columns();
    long count = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        double norm = EuclideanNorm.of(block.features(), i * columns, columns);
        boolean adds = norm > 0 && norm < Double.POSITIVE_INFINITY;
        count += adds && loss.admits(block.labels()[i], classes) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * @param rows at least as many as add to the sum
   */
  private double[] descend(ClippedSum sum, long rows, double[] linear, Runnable stop) {
    double steepest = smoothness.curvature() * rows + lambda;
    double root = Math.sqrt(steepest / lambda);
    double momentum = (root - 1) / (root + 1);
    double[] best = new double[linear.length];
    double[] ahead = new double[linear.length];
    double[] gradient = new double[linear.length];
    // Half is for the rounding of the gradient.
    double enough = lambda * distance / 2;
    long most =
        stepsThatSuffice(root, (smoothness.lipschitz() * rows + EuclideanNorm.of(linear)) / lambda);
    for (long step = 0; step < most; step++) {
      stop.run();
      sum.compute(ahead, gradient);
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += linear[i] + lambda * ahead[i];
      }
      if (EuclideanNorm.of(gradient) <= enough) {
        break;
      }
      for (int i = 0; i < best.length; i++) {
        double moved = ahead[i] - gradient[i] / steepest;
        ahead[i] = moved + momentum * (moved - best[i]);
        best[i] = moved;
      }
    }
    return ahead;
  }

  /**
   * J falls by 1 − 1/√κ a step from at most (κ + 1)Λ‖w*‖²/2 above its least (Nesterov 2018, Theorem
   * 2.2.3), so without rounding this many steps bring both points of the method, the second at most
   * three times as far as the first, within the distance. The gradient that is seen ends it
   * earlier.
   *
   * @param root √κ
   * @param radius above ‖w*‖, since Λw* is minus a sum of gradients
   */
  private long stepsThatSuffice(double root, double radius) {
    double ratio = 3 * Math.sqrt(root * root + 1) * Math.max(1, 2 * radius / distance);
    return (long) Math.ceil(2 * Math.log(ratio) * root) + 1;
  }
}
