package io.mutune.trainer.attack;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LeadingDirections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run tells whoever sees its iterates, where they remember {@code v ← βv + g}: weights at
 * which rows were asked, and the noisy sums that came back. Of several steps between two iterates
 * it is one sum over them that can be told, Σ β^(k−j)·g_j.
 *
 * @param sigma σ, the noise's deviation over a step's clip norm
 * @param steps in order
 */
public record ReleasedDescent(NoiseMultiplier sigma, List<Told> steps) {
  public ReleasedDescent {
    steps = List.copyOf(steps);
  }

  /**
   * What one pair of iterates tells.
   *
   * @param clip C of its first step
   * @param weights before the first of its steps, {@code [features, columns]}
   * @param sum the noisy sums, each times its part, added up; the same shape
   * @param parts how much a row's gradient counts in it on average
   * @param squares the sum of the steps' squared parts: the noise has the deviation σC·√squares
   * @param directions along which rows were asked; empty for all
   * @param exact whether nothing but the rows' gradients at these weights and the noise is in it:
   *     one step, on all rows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Told(
      ClipNorm clip,
      double[] weights,
      double[] sum,
      double parts,
      double squares,
      Optional<LeadingDirections> directions,
      boolean exact) {

    /** Turns a gradient into what was asked of it. */
    double[] asked(double[] gradient) {
      if (directions.isEmpty()) {
        return gradient;
      }
      double[] lifted = new double[gradient.length];
      directions.get().lift(coordinates(gradient), columns(gradient), lifted);
      return lifted;
    }

    /** The numbers that have noise of their own each. */
    double[] coordinates(double[] gradient) {
      return directions.map(basis -> basis.project(gradient, columns(gradient))).orElse(gradient);
    }

    private int columns(double[] gradient) {
      return gradient.length / directions.orElseThrow().features();
    }
  }

  /**
   * From all iterates of a run.
   *
   * @param iterates as released, in order, none lost between them; each remembers v, and may
   *     remember more after it
   * @param start the weights before the first step
   * @param momentum β
   * @param velocity what v is made of
   */
  public static ReleasedDescent of(
      List<Iterate> iterates,
      double[] start,
      double momentum,
      NoiseMultiplier sigma,
      Velocity velocity) {
    List<Told> told = new ArrayList<>();
    double[] weights = start;
    double[] before = new double[start.length];
    int asked = 0;
    for (Iterate iterate : iterates) {
      int count = iterate.asked() - asked;
      double[] after = iterate.memory();
      if (count < 1 || iterate.weights().length != start.length || after.length < start.length) {
        throw new IllegalArgumentException("these are not the iterates of descent with momentum");
      }
      double kept = Math.pow(momentum, count);
      double[] gained = new double[start.length];
      for (int i = 0; i < gained.length; i++) {
        gained[i] = after[i] - kept * before[i];
      }
      told.add(velocity.told(weights, gained, Parts.of(momentum, count)));
      weights = iterate.weights();
      before = after;
      asked = iterate.asked();
    }
    return new ReleasedDescent(sigma, told);
  }

  /**
   * How much each of some steps counts in what momentum makes of them.
   *
   * @param sum Σβ^j
   * @param squares Σβ^2j
   */
  record Parts(int count, double sum, double squares) {
    static Parts of(double momentum, int count) {
      double sum = 0;
      double squares = 0;
      for (int j = 0; j < count; j++) {
        double part = Math.pow(momentum, j);
        sum += part;
        squares += part * part;
      }
      return new Parts(count, sum, squares);
    }
  }

  /** σC·√squares: of each of the told sum's own numbers. */
  double deviation(Told told) {
    return sigma.value() * told.clip().value() * Math.sqrt(told.squares());
  }
}
