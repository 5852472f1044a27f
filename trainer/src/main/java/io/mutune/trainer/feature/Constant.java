package io.mutune.trainer.feature;

import java.util.Arrays;
import java.util.List;

/** Appends a 1, by whose weight a linear model has an intercept. */
public record Constant() implements FeatureMap {
  static final FeatureType TYPE = new FeatureType("constant", List.of(), read -> new Constant());

  @Override
  public int outputs(int inputs) {
    return Math.addExact(inputs, 1);
  }

  @Override
  public RowMap open(int inputs) {
    return (in, inOffset, out, outOffset) -> {
      System.arraycopy(in, inOffset, out, outOffset, inputs);
      out[outOffset + inputs] = 1;
    };
  }

  @Override
  public void describe(int inputs, RowSteps to) {
    double[] factors = new double[inputs + 1];
    Arrays.fill(factors, 1);
    int[][] of = new int[inputs + 1][];
    Arrays.setAll(of, i -> i < inputs ? new int[] {i} : new int[0]);
    to.products(factors, of);
  }

  @Override
  public String name() {
    return TYPE.name();
  }
}
