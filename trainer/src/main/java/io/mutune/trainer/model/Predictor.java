package io.mutune.trainer.model;

import io.mutune.trainer.data.UnlabelledData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.UnlabelledSpec;
import java.io.IOException;
import java.util.function.LongFunction;
import org.apache.commons.io.function.IOConsumer;

/**
 * A released model together with the feature maps that its rows go through. Using it costs nothing,
 * since it was paid for; what it says of a row is as private as the row.
 */
public record Predictor(LinearModel model, FeaturePipeline features) {
  /** Takes what the model says of consecutive rows, on one thread. */
  @FunctionalInterface
  public interface Scored {
    /** Takes the name of the file that the next row is, of rows that are pictures. */
    default void name(String file) {}

    /**
     * Takes the next row.
     *
     * @param scores one for each column of the model; used again for the next row
     */
    void row(double[] scores);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece<S extends Scored>(LinearModel model, S taker, double[] scores)
      implements UnlabelledData.Piece {
    @Override
    public void name(String file) {
      taker.name(file);
    }

    @Override
    public void row(float[] values) {
      model.score(values, 0, scores);
      taker.row(scores);
    }
  }

  /**
   * Goes through the rows of a file of any length, in pieces that are worked on side by side.
   *
   * @param begin makes what takes a piece, of the place of its first row from 0
   * @param handOn takes them back, each when all of its rows were taken, in the order of the file
   * @throws io.mutune.trainer.file.DataFormatException if the file is not what its description says
   * @throws IOException if the file is missing or cannot be read, or {@code handOn} throws it
   * @throws IllegalArgumentException if the description's rows do not suit the model
   */
  public <S extends Scored> void forEach(
      UnlabelledSpec rows, LongFunction<S> begin, IOConsumer<S> handOn) throws IOException {
    int outputs = features.outputs(rows.form().width());
    if (outputs != model.features()) {
      throw new IllegalArgumentException(
          "rows of %d features do not suit a model of %d".formatted(outputs, model.features()));
    }
    new UnlabelledData(rows, features)
        .<Piece<S>>forEach(
            first -> new Piece<>(model, begin.apply(first), new double[model.columns()]),
            piece -> handOn.accept(piece.taker()));
  }
}
