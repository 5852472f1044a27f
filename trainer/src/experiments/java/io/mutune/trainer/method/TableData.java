package io.mutune.trainer.method;

import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.LabelColumn;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Adult and MAGIC as PPSGD's experiments split them: 80% to train, of which 0.1% are public.
 *
 * <p>The paper scales features by the least and greatest value of all rows, which reads private
 * ones. Here Adult's indicators stay 0 and 1, and MAGIC's are scaled to [−1, 1] by round numbers
 * that hold what the quantities can be (lengths in millimetres on a camera of that size, shares,
 * degrees); what lies outside is held at them. Rows are then brought to norm 1.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TableData(String name, float[][] rows, int[] labels) {
  /** Pairwise products are added to rows of up to this many features: a rule, not a choice. */
  private static final int FEW_FEATURES = 32;

  private static final double[] MAGIC_LEAST = {0, 0, 0, 0, 0, -600, -400, -400, 0, 0};
  private static final double[] MAGIC_GREATEST = {400, 300, 6, 1, 1, 600, 400, 400, 90, 500};

  /**
   * One split.
   *
   * @param hidden the private rows
   * @param shown the public rows
   */
  record Split(PrivateRows hidden, PublicRows shown, PublicRows test) {}

  static TableData adult(Path folder) throws IOException {
    DataSpec spec =
        new DataSpec(
            folder.resolve("a9a.libsvm.gz"),
            null,
            DataFormat.LIBSVM,
            CsvLayout.standard(),
            ClassLabels.of("-1", "1"),
            123,
            null);
    return read("Adult", spec, null, null);
  }

  static TableData magic(Path folder) throws IOException {
    DataSpec spec =
        new DataSpec(
            folder.resolve("magic04.data.gz"),
            null,
            DataFormat.CSV,
            new CsvLayout(',', true, new LabelColumn.Named("class")),
            ClassLabels.of("h", "g"),
            10,
            null);
    return read("MAGIC", spec, MAGIC_LEAST, MAGIC_GREATEST);
  }

  private static TableData read(
      String name, DataSpec spec, double @Nullable [] least, double @Nullable [] greatest)
      throws IOException {
    RowBlocks blocks = new PublicData(spec, FeaturePipeline.of()).rows().blocks();
    List<float[]> rows = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    int columns = blocks.columns();
    for (RowBlocks.Block block : blocks.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        float[] row = Arrays.copyOfRange(block.features(), i * columns, (i + 1) * columns);
        for (int j = 0; least != null && greatest != null && j < columns; j++) {
          double scaled = 2 * (row[j] - least[j]) / (greatest[j] - least[j]) - 1;
          row[j] = (float) Math.max(-1, Math.min(1, scaled));
        }
        rows.add(row);
        labels.add(block.labels()[i]);
      }
    }
    return new TableData(
        name,
        rows.toArray(float[][]::new),
        labels.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Whether {@link #quadratic} adds anything. */
  boolean hasFewFeatures() {
    return rows[0].length <= FEW_FEATURES;
  }

  /** The same rows with a feature that is 1 and all pairwise products, where features are few. */
  TableData quadratic() {
    if (!hasFewFeatures()) {
      return this;
    }
    float[][] products = new float[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      float[] row = Arrays.copyOf(rows[i], rows[i].length + 1);
      row[rows[i].length] = 1;
      float[] image = new float[row.length * (row.length + 1) / 2];
      int to = 0;
      for (int j = 0; j < row.length; j++) {
        for (int k = 0; k <= j; k++) {
          image[to++] = (float) (row[j] * row[k] * (j == k ? 1 : Math.sqrt(2)));
        }
      }
      products[i] = image;
    }
    return new TableData(name, products, labels);
  }

  Split split(int number) {
    int[] order = new int[rows.length];
    Arrays.setAll(order, i -> i);
    SplittableRandom random = new SplittableRandom(number);
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    int training = rows.length * 4 / 5;
    int shown = (int) Math.round(training / 1000.0);
    return new Split(
        new PrivateRows(blocks(order, shown, training)),
        new PublicRows(blocks(order, 0, shown)),
        new PublicRows(blocks(order, training, order.length)));
  }

  private RowBlocks blocks(int[] order, int from, int to) {
    List<RowBlocks.Block> blocks = new ArrayList<>();
    int columns = rows[0].length;
    for (int start = from; start < to; start += RowBlocks.BLOCK_ROWS) {
      int count = Math.min(RowBlocks.BLOCK_ROWS, to - start);
      float[] features = new float[count * columns];
      int[] own = new int[count];
      for (int i = 0; i < count; i++) {
        float[] row = rows[order[start + i]];
        double norm = 0;
        for (float value : row) {
          norm = Math.hypot(norm, value);
        }
        for (int j = 0; j < columns; j++) {
          features[i * columns + j] = norm > 0 ? (float) (row[j] / norm) : 0;
        }
        own[i] = labels[order[start + i]];
      }
      blocks.add(new RowBlocks.Block(features, own));
    }
    return new RowBlocks(columns, blocks);
  }
}
