package io.mutune.trainer.feature;

/** A map that leaves a row as long as it is. */
public interface InPlaceMap extends FeatureMap {
  /** Changes one row in place; the arithmetic is in double, the result rounded to float32. */
  void apply(float[] values, int offset, int length);

  @Override
  default int outputs(int inputs) {
    return inputs;
  }

  @Override
  default RowMap open(int inputs) {
    return (in, inOffset, out, outOffset) -> {
      System.arraycopy(in, inOffset, out, outOffset, inputs);
      apply(out, outOffset, inputs);
    };
  }
}
