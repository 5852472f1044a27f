package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

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
    if (spec.images() == null) {
      InputFile.checkReadable(spec.file());
    } else {
      ImageSource.checkReadable(spec.file());
    }
    RowReader.of(spec).read(new Mapped(visitor));
  }

  private final class Mapped implements RowSink {
    private final Visitor visitor;
    private RowMap map = (in, inOffset, out, outOffset) -> {};
    private float[] mapped = {};

    Mapped(Visitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public void begin(int columns) throws DataFormatException {
      mapped = new float[RowCollector.outputs(spec, features, columns)];
      map = features.open(columns);
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      map.apply(values, 0, mapped, 0);
      visitor.row(mapped);
    }
  }
}
