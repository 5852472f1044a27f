package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;

/**
 * Rows whose labels do not matter, handed on one by one. Nothing is charged: they are no part of a
 * study, and whatever is computed from them is as private as they are.
 */
public final class UnlabelledData {
  /** Takes the rows in the order of the file. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes one row.
     *
     * @param values after the feature maps; the array is used again for the next row
     */
    void row(float[] values);
  }

  private final UnlabelledSpec spec;
  private final FeaturePipeline features;

  public UnlabelledData(UnlabelledSpec spec, FeaturePipeline features) {
    this.spec = spec;
    this.features = features;
  }

  /**
   * Reads the file from its start to its end.
   *
   * @throws DataFormatException at the first row that breaks a rule
   * @throws IOException if the file is missing or cannot be read
   */
  public void forEach(Visitor visitor) throws IOException {
    InputFile.checkReadable(spec.file());
    RowReader.of(spec).read(new MappedRows(features, visitor));
  }

  private record MappedRows(FeaturePipeline features, Visitor visitor) implements RowSink {
    @Override
    public void begin(int columns) {}

    @Override
    public void row(float[] values, int label) {
      features.apply(values, 0, values.length);
      visitor.row(values);
    }
  }
}
