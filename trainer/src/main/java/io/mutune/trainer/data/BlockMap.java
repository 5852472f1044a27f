package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Applies feature maps to many rows at once, on all cores; what comes out depends on no timing. */
final class BlockMap {
  /** Enough to be worth handing over, few enough that all cores get some. */
  private static final int CHUNK_ROWS = 64;

  private BlockMap() {}

  /**
   * The images, {@code [rows, outputs]}; zeros where there is no row.
   *
   * @param raw {@code [rows, inputs]}, row-major; may be longer
   * @param labels of the rows; may be longer
   */
  static float[] apply(FeaturePipeline pipeline, float[] raw, int[] labels, int rows, int inputs) {
    int outputs = pipeline.outputs(inputs);
    float[] mapped = new float[Math.multiplyExact(rows, outputs)];
    int chunks = (rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
    ThreadLocal<RowMap> maps = ThreadLocal.withInitial(() -> pipeline.open(inputs));
    IntStream.range(0, chunks)
        .parallel()
        .forEach(
            chunk -> {
              RowMap map = maps.get();
              int to = Math.min(rows, (chunk + 1) * CHUNK_ROWS);
              for (int row = chunk * CHUNK_ROWS; row < to; row++) {
                map.apply(raw, row * inputs, mapped, row * outputs);
                if (labels[row] == RowBlocks.NO_LABEL) {
                  Arrays.fill(mapped, row * outputs, (row + 1) * outputs, 0);
                }
              }
            });
    return mapped;
  }
}
