package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.InputFile;
import io.mutune.trainer.format.LineReader;
import io.mutune.trainer.format.NpyFile;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of a data set are kept: in memory, or left in their files. It follows from public
 * numbers alone (how many rows the sweep states, how many features they have, this process's heap
 * and the files' form), so that no row more or less changes what is done with the others. No other
 * class may ask how large the heap is (ArchUnit).
 *
 * @param publicRows how many rows are said to be there; never a count of private ones
 * @param mostBytes above which rows are left in their files
 */
record RowStorage(long publicRows, long mostBytes) {
  /**
   * The share of the Java heap above which rows are left in their file, or refused. While rows are
   * read and put into blocks they take up to 2.7 times their size.
   */
  private static final int HEAP_SHARE = 3;

  /** So many times what rows take in a scratch file its disk has to have. */
  private static final int SCRATCH_SHARE = 2;

  /** To a multiple of which a row's features are filled up. */
  private static final int LANES = 16;

  /** Of a row beside its features: its length, its slot, its label. */
  private static final int ROW_BYTES = 40;

  /** The same of a row of a person: the id, and which rows are whose. */
  private static final int UNIT_BYTES = 1000;

  private static final double GIGABYTE = 1 << 30;

  /** As long as they fit, rows are all in one bucket. */
  private static final long ONE_BUCKET_BYTES = 1L << 30;

  /** Of a bucket, about. */
  private static final long BUCKET_BYTES = 64L << 20;

  private static final int MOST_BUCKETS = 1 << 24;

  static RowStorage of(long publicRows) {
    return new RowStorage(publicRows, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * The rows with their features.
   *
   * @param unfit what becomes of rows that do not fit
   * @throws DataFormatException if a file is not what its description says
   */
  RowBlocks open(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit) throws IOException {
    spec.checkReadable();
    return isInFile(spec, pipeline)
        ? MappedRows.open(spec, pipeline, unfit)
        : RowCollector.collect(spec, pipeline, unfit);
  }

  /**
   * How many bytes as many rows as are stated take in memory, with others beside them and a block
   * of them before their maps; 0 where they are left in their file, or where it is not stated how
   * many columns there are. Reads no file.
   *
   * @throws DataFormatException if the maps are not made for such rows
   */
  double bytesInMemory(DataSpec spec, FeaturePipeline pipeline, long beside)
      throws DataFormatException {
    Integer stated = spec.features();
    if (stated == null || mayBeLeft(spec)) {
      return 0;
    }
    int outputs = RowCollector.outputs(spec, pipeline, stated);
    double rows = bytes(1, spec.range()) / Float.BYTES;
    int stride = stride(outputs);
    Table table = spec.table();
    int more = ROW_BYTES + (table != null && table.unit() != null ? UNIT_BYTES : 0);
    return (rows + beside) * stride * Float.BYTES
        + rows * more
        + Math.min(rows, RowBlocks.BLOCK_ROWS) * stated * Float.BYTES;
  }

  /**
   * How many bytes as many rows as are stated take in a scratch file, where they are left in their
   * own files; 0 of others, or where it is not stated how many columns there are. Reads no file.
   *
   * @throws DataFormatException if the maps are not made for such rows
   */
  double bytesInScratch(DataSpec spec, FeaturePipeline pipeline) throws DataFormatException {
    Integer stated = spec.features();
    if (stated == null || !mayBeLeft(spec)) {
      return 0;
    }
    int outputs = RowCollector.outputs(spec, pipeline, stated);
    return bytes(outputs, spec.range()) > mostBytes ? bytes(stride(outputs), spec.range()) : 0;
  }

  private static boolean mayBeLeft(DataSpec spec) {
    return spec.format() == DataFormat.NPY
        && spec.parts().stream().noneMatch(part -> part.file().toString().endsWith(".gz"));
  }

  private static int stride(int outputs) {
    return (outputs + LANES - 1) / LANES * LANES;
  }

  /**
   * What the longest line or picture takes while it is read, as a part of rows that take three
   * times it.
   */
  static double bytesOfARow(DataSpec spec) {
    long picture = spec.images() == null ? 0 : 4L * ImageDecoder.MAX_BYTES;
    return (double) (LineReader.bytes(spec) + picture) / HEAP_SHARE;
  }

  /**
   * Makes sure that rows fit into memory: if they barely did, one row more would end a study that
   * has been charged, and so show.
   *
   * @throws IOException if they do not
   */
  static void requireRoom(double bytes) throws IOException {
    requireRoom(bytes, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  static void requireRoom(double bytes, long mostBytes) throws IOException {
    if (bytes > mostBytes) {
      throw new IOException(
          ("private rows with their features take %.1f GB by their stated number, and %d times that"
                  + " while they are read, more than the %.1f GB of Java's heap: give it more, as by"
                  + " MUTUNE_JAVA_OPTS=-Xmx%.0fg")
              .formatted(
                  bytes / GIGABYTE,
                  HEAP_SHARE,
                  HEAP_SHARE * mostBytes / GIGABYTE,
                  Math.ceil(HEAP_SHARE * bytes / GIGABYTE)));
    }
  }

  /**
   * Makes sure that the disk has room for rows in a scratch file, and as much again: if it barely
   * had, one row more would end a study that has been charged.
   *
   * @param disk bytes in all where scratch files lie, free or not
   * @throws IOException if it has not
   */
  static void requireScratch(double bytes, long disk) throws IOException {
    if (SCRATCH_SHARE * bytes > disk) {
      throw new IOException(
          ("private rows with their features take %.1f GB in a scratch file by their stated number,"
                  + " and its disk has to have %d times that; it has %.1f GB: let MUTUNE_SCRATCH name"
                  + " a folder of another")
              .formatted(bytes / GIGABYTE, SCRATCH_SHARE, disk / GIGABYTE));
    }
  }

  /**
   * Into how many buckets rows go (docs/soundness.md): one below {@value #ONE_BUCKET_BYTES} bytes.
   *
   * @param features of a row as it is trained on
   */
  int buckets(int features, @Nullable RowRange range) {
    double bytes = bytes(features, range);
    return bytes < ONE_BUCKET_BYTES
        ? 1
        : (int) Math.min(MOST_BUCKETS, Math.ceil(bytes / BUCKET_BYTES));
  }

  /** Only {@code .npy} files that are not gzipped can be read from any place. */
  private boolean isInFile(DataSpec spec, FeaturePipeline pipeline) throws IOException {
    if (spec.format() != DataFormat.NPY) {
      return false;
    }
    for (DataSpec.Part part : spec.parts()) {
      if (InputFile.isGzip(part.file())) {
        return false;
      }
    }
    Integer stated = spec.features();
    int columns = stated == null ? NpyFile.columnsOf(spec.file()) : stated;
    return bytes(RowCollector.outputs(spec, pipeline, columns), spec.range()) > mostBytes;
  }

  /** About how many bytes the rows have in memory. */
  double bytes(int features, @Nullable RowRange range) {
    long rows = range == null ? publicRows : Math.min(publicRows, range.size());
    return (double) rows * features * Float.BYTES;
  }
}
