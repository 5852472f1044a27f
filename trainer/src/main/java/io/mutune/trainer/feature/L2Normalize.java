package io.mutune.trainer.feature;

import java.util.Map;

/**
 * Divides a row by its L2 norm; a row of zeros stays one. The result's norm is 1 up to float32
 * rounding, so nothing that bounds a sensitivity may take it for exactly 1.
 */
public record L2Normalize() implements InPlaceMap {
  static final String NAME = "l2-normalize";

  @Override
  public void apply(float[] values, int offset, int length) {
    // A double holds the square of every float32 and the sum of as many as an array can have.
    double squares = 0;
    for (int i = offset; i < offset + length; i++) {
      squares += (double) values[i] * values[i];
    }
    if (squares == 0) {
      return;
    }
    double norm = Math.sqrt(squares);
    for (int i = offset; i < offset + length; i++) {
      values[i] = (float) (values[i] / norm);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of();
  }

  static L2Normalize ofParameters(Map<String, ? extends Number> parameters) {
    if (!parameters.isEmpty()) {
      throw new IllegalArgumentException(NAME + " has no parameters; had " + parameters.keySet());
    }
    return new L2Normalize();
  }
}
