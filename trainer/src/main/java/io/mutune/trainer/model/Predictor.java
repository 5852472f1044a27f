package io.mutune.trainer.model;

import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.data.UnlabelledData;
import io.mutune.trainer.data.UnlabelledSpec;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A released model together with the feature maps that its rows go through. Using it costs nothing,
 * since it was paid for; what it says of a row is as private as the row.
 */
public record Predictor(LinearModel model, FeaturePipeline features) {
  /**
   * The class index of every row, in the order of the file.
   *
   * @throws io.mutune.trainer.data.DataFormatException if the file is not what its description says
   * @throws IOException if the file is missing or cannot be read
   * @throws IllegalArgumentException if the description's rows do not suit the model
   */
  public int[] classes(UnlabelledSpec rows) throws IOException {
    requireSuited(rows);
    IntStream.Builder classes = IntStream.builder();
    new UnlabelledData(rows, features).forEach(values -> classes.accept(model.predict(values, 0)));
    return classes.build().toArray();
  }

  /** The same for real targets, which lie within {@code range}. */
  public double[] targets(UnlabelledSpec rows, TargetRange range) throws IOException {
    requireSuited(rows);
    DoubleStream.Builder targets = DoubleStream.builder();
    new UnlabelledData(rows, features)
        .forEach(values -> targets.accept(range.target(model.predictTarget(values, 0))));
    return targets.build().toArray();
  }

  private void requireSuited(UnlabelledSpec rows) {
    int outputs = features.outputs(rows.features());
    if (outputs != model.features()) {
      throw new IllegalArgumentException(
          "rows of %d features do not suit a model of %d".formatted(outputs, model.features()));
    }
  }
}
