package io.mutune.trainer.feature;

import io.mutune.trainer.kernel.EuclideanNorm;
import java.util.List;

/**
 * Divides a row by its L2 norm; a row of zeros stays one. The result's norm is 1 up to float32
 * rounding, so nothing that bounds a sensitivity may take it for exactly 1.
 */
public record L2Normalize() implements InPlaceMap {
  static final FeatureType TYPE =
      new FeatureType("l2-normalize", List.of(), read -> new L2Normalize());

  @Override
  public void apply(float[] values, int offset, int length) {
    double norm = EuclideanNorm.of(values, offset, length);
    if (norm == 0) {
      return;
    }
    for (int i = offset; i < offset + length; i++) {
      values[i] = (float) (values[i] / norm);
    }
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    to.unitNorm();
  }

  @Override
  public String name() {
    return TYPE.name();
  }
}
