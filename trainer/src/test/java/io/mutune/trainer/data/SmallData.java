package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.IdxFile;
import io.mutune.trainer.format.RowRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Small files, their descriptions, and what is read of them. */
public final class SmallData {
  public static final ClassLabels THREE_CLASSES = ClassLabels.of(3);

  private SmallData() {}

  public static Path write(Path folder, String name, String text) {
    return write(folder, name, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Path write(Path folder, String name, byte[] bytes) {
    try {
      return Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** An IDX file of unsigned bytes. */
  public static byte[] idx(int[] dimensions, int... elements) {
    ByteBuffer content = ByteBuffer.allocate(elements.length);
    for (int element : elements) {
      content.put((byte) element);
    }
    return idx(IdxFile.UBYTE, dimensions, content.array());
  }

  public static byte[] idxOfFloats(int[] dimensions, float... elements) {
    ByteBuffer content = ByteBuffer.allocate(elements.length * Float.BYTES);
    content.asFloatBuffer().put(elements);
    return idx(IdxFile.FLOAT, dimensions, content.array());
  }

  private static byte[] idx(int type, int[] dimensions, byte[] content) {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 4 * dimensions.length + content.length);
    bytes.put(new byte[] {0, 0, (byte) type, (byte) dimensions.length});
    for (int dimension : dimensions) {
      bytes.putInt(dimension);
    }
    return bytes.put(content).array();
  }

  public static DataSpec csv(Path file) {
    return csv(file, CsvLayout.standard());
  }

  public static DataSpec csv(Path file, CsvLayout layout) {
    return new DataSpec(file, null, DataFormat.CSV, layout, THREE_CLASSES, null, null);
  }

  public static DataSpec libsvm(Path file, int features) {
    return new DataSpec(
        file, null, DataFormat.LIBSVM, CsvLayout.standard(), THREE_CLASSES, features, null);
  }

  public static DataSpec idx(Path images, Path labels) {
    return new DataSpec(
        images, labels, DataFormat.IDX, CsvLayout.standard(), THREE_CLASSES, null, null);
  }

  public static DataSpec withFeatures(DataSpec spec, int features) {
    return new DataSpec(
        spec.file(),
        spec.labels(),
        spec.format(),
        spec.csv(),
        spec.labelling(),
        features,
        spec.range());
  }

  public static DataSpec withRange(DataSpec spec, long first, long last) {
    return new DataSpec(
        spec.file(),
        spec.labels(),
        spec.format(),
        spec.csv(),
        spec.labelling(),
        spec.features(),
        new RowRange(first, last));
  }

  public static RowBlocks read(DataSpec spec) throws IOException {
    return RowCollector.collect(spec, FeaturePipeline.of(), UnfitRows.REFUSED);
  }

  /** Each row as {@code [features] -> label}. */
  public static List<String> rows(DataSpec spec) throws IOException {
    RowBlocks read = read(spec);
    List<String> rows = new ArrayList<>();
    for (RowBlocks.Block block : read.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        float[] values =
            Arrays.copyOfRange(block.features(), row * read.columns(), (row + 1) * read.columns());
        rows.add(Arrays.toString(values) + " -> " + block.labels()[row]);
      }
    }
    return rows;
  }
}
