package io.mutune.trainer.method;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.LeadingDirections;
import java.util.Optional;

/**
 * The noisy sum that one pair of a run's iterates tells.
 *
 * @param clip C of its first step
 * @param weights before the first of its steps, {@code [features, columns]}
 * @param sum the noisy sums, each times its part, added up; the same shape
 * @param parts how much a row's gradient counts in it on average
 * @param squares the sum of the steps' squared parts: the noise has the deviation σC·√squares
 * @param directions along which rows were asked; empty for all
 * @param single whether it is of one step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ReleasedSum(
    ClipNorm clip,
    double[] weights,
    double[] sum,
    double parts,
    double squares,
    Optional<LeadingDirections> directions,
    boolean single) {

  /** Whether nothing but all rows' gradients at these weights and the noise is in it. */
  public boolean exact() {
    return single && parts == 1;
  }

  /** Turns a gradient into what was asked of it. */
  public double[] asked(double[] gradient) {
    if (directions.isEmpty()) {
      return gradient;
    }
    double[] lifted = new double[gradient.length];
    directions.get().lift(coordinates(gradient), columns(gradient), lifted);
    return lifted;
  }

  /** The numbers that have noise of their own each. */
  public double[] coordinates(double[] gradient) {
    return directions.map(basis -> basis.project(gradient, columns(gradient))).orElse(gradient);
  }

  private int columns(double[] gradient) {
    return gradient.length / directions.orElseThrow().features();
  }
}
