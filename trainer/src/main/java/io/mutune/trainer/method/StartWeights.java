package io.mutune.trainer.method;

import io.mutune.trainer.model.LinearModel;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The weights that training starts from: zero, a public model's, or a text encoder's. They are
 * public, so whatever is wrong with them is an error before a charge.
 */
public final class StartWeights {
  private StartWeights() {}

  /**
   * W = β·[enc(c₁)/‖enc(c₁)‖, …]: one column a class, from the encodings of the classes' names by
   * the encoder whose features the rows have (AdaMix, section 3.3; β = 100 there).
   *
   * @param encodings {@code [classes][features]}, each finite and not zero
   * @param beta β, finite and above 0
   * @param columns the loss's: one a class, or of two classes one, for which the second's weights
   *     less the first's say the same
   */
  public static LinearModel ofEncodings(double[][] encodings, double beta, int columns) {
    LinearModel each = ofEncodings(encodings, beta);
    if (columns == encodings.length) {
      return each;
    }
    if (columns != 1 || encodings.length != 2) {
      throw new IllegalArgumentException(
          "%d classes have no start of %d columns".formatted(encodings.length, columns));
    }
    double[] two = each.weights();
    double[] one = new double[each.features()];
    for (int j = 0; j < one.length; j++) {
      one[j] = two[2 * j + 1] - two[2 * j];
    }
    return new LinearModel(one.length, 1, one);
  }

  /**
   * The same with a column for each class.
   *
   * @param encodings {@code [classes][features]}, each finite and not zero
   * @param beta β, finite and above 0
   */
  public static LinearModel ofEncodings(double[][] encodings, double beta) {
    Require.that(beta > 0 && Double.isFinite(beta), "scale of the encodings", beta);
    if (encodings.length < 2 || encodings[0].length == 0) {
      throw new IllegalArgumentException("a start needs the encodings of at least 2 classes");
    }
    int features = encodings[0].length;
    double[] weights = new double[Math.multiplyExact(features, encodings.length)];
    for (int c = 0; c < encodings.length; c++) {
      double norm = 0;
      for (double value : encodings[c]) {
        norm = Math.hypot(norm, value);
      }
      if (encodings[c].length != features || !(norm > 0 && Double.isFinite(norm))) {
        throw new IllegalArgumentException(
            "the encoding of class %d has no direction among %d features".formatted(c, features));
      }
      for (int j = 0; j < features; j++) {
        weights[j * encodings.length + c] = beta * (encodings[c][j] / norm);
      }
    }
    return new LinearModel(features, encodings.length, weights);
  }

  /**
   * Looks at a start before the charge, where there is one.
   *
   * @param columns of the model that is trained
   * @throws IllegalArgumentException if it has another number of columns, or a weight is not finite
   */
  public static void check(Optional<LinearModel> start, int columns) {
    if (start.isEmpty()) {
      return;
    }
    if (start.get().columns() != columns) {
      throw new IllegalArgumentException(
          "a start of %d columns does not suit a model of %d"
              .formatted(start.get().columns(), columns));
    }
    for (double w : start.get().weights()) {
      if (!Double.isFinite(w)) {
        throw new IllegalArgumentException("the weights of a start must be finite; one was " + w);
      }
    }
  }

  /** How many features rows must have to suit a start; empty where any number does. */
  public static OptionalInt features(Optional<LinearModel> start) {
    return start.isPresent() ? OptionalInt.of(start.get().features()) : OptionalInt.empty();
  }

  /**
   * For a method that keeps its weights in a ball.
   *
   * @param radius of the ball, in the Frobenius norm
   * @throws IllegalArgumentException if the start lies outside
   */
  public static void checkWithin(LinearModel start, double radius) {
    double norm = 0;
    for (double w : start.weights()) {
      norm = Math.hypot(norm, w);
    }
    if (norm > radius) {
      throw new IllegalArgumentException(
          "the start has norm %s and lies outside the ball of radius %s".formatted(norm, radius));
    }
  }

  /**
   * The first weights, {@code [features, columns]}, row-major: a copy of the start's, or zeros.
   *
   * @throws IllegalArgumentException if the start has another number of features; both are public
   */
  public static double[] of(Optional<LinearModel> start, int features, int columns) {
    if (start.isEmpty()) {
      return new double[Math.multiplyExact(features, columns)];
    }
    checkFeatures(features, start.get().features());
    return start.get().weights();
  }

  /**
   * Compares rows with a model. The number of features is public, so it may be named.
   *
   * @throws IllegalArgumentException if rows have another number than the model
   */
  public static void checkFeatures(int ofRows, int needed) {
    if (ofRows != needed) {
      throw new IllegalArgumentException(
          "rows of %d features do not suit a model of %d".formatted(ofRows, needed));
    }
  }
}
