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
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
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

  /** Of a row beside its features: its length, its slot, its label, its place in a sample. */
  private static final int ROW_BYTES = 40;

  /** Of a person: the id, and which rows are whose. */
  private static final int UNIT_BYTES = 1000;

  /** Slots for which there are arrays: half of what one holds, so that a row more is no matter. */
  private static final long MOST_SLOTS = 1L << 29;

  private static final double GIGABYTE = 1 << 30;

  /** As long as they fit, rows are all in one bucket. */
  private static final long ONE_BUCKET_BYTES = 1L << 30;

  /** Of a bucket, about. */
  private static final long BUCKET_BYTES = 64L << 20;

  private static final int MOST_BUCKETS = 1 << 24;

  static RowStorage of(long publicRows) {
    return new RowStorage(publicRows, mostOfHeap());
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
   * What as many rows as are stated take, by public numbers alone.
   *
   * @param memory bytes of rows in memory, or of what is known there of rows in their files
   * @param scratch bytes of rows that are left in their files, as they are put in order
   * @param slots in which rows are put in order, those that stay empty too
   * @param features of a row there; 0 where they are stated nowhere, and so is what rows take
   */
  record Needs(double memory, double scratch, double slots, int features) {
    private static final Needs NONE = new Needs(0, 0, 0, 0);
  }

  /**
   * What rows take with others beside them; nothing where it is not stated how many columns there
   * are. Reads no file.
   *
   * @param kept the maps with whose images they are kept
   * @param all these and further ones
   * @throws DataFormatException if the maps are not made for such rows
   */
  Needs needs(DataSpec spec, FeaturePipeline kept, FeaturePipeline all, long beside)
      throws DataFormatException {
    Integer stated = spec.features();
    if (stated == null) {
      return Needs.NONE;
    }
    int before = RowCollector.outputs(spec, kept, stated);
    int last = RowCollector.outputs(spec, all, stated);
    double slots = slots(spec, last) + beside;
    double row = stride(last) * Float.BYTES;
    return mayBeLeft(spec) && inMemory(spec, stated, before, 0) > mostBytes
        ? new Needs(
            slots * ROW_BYTES + beside * row + block(spec, stated + last),
            (slots - beside) * row,
            slots,
            last)
        : new Needs(inMemory(spec, stated, Math.max(before, last), beside), 0, slots, last);
  }

  /** How many bytes a copy of such rows takes in memory, wherever they are. */
  double bytesOfCopy(DataSpec spec, Needs needs) {
    return needs.features() == 0 ? 0 : bytesInOrder(spec, needs.features());
  }

  /** Bytes of rows in memory: as they are padded, with what is known of each, and a block more. */
  private double inMemory(DataSpec spec, int inputs, int outputs, long beside) {
    int ofUnit = rowsOfUnit(spec);
    double products = ofUnit == 1 ? 0 : ofUnit * Double.BYTES; // of the rows of a person
    double row = stride(outputs) * Float.BYTES + ROW_BYTES + products;
    return (slots(spec, outputs) + beside) * row + bytesOfPeople(spec) + block(spec, inputs);
  }

  /** What is known of each person; 0 where rows are units of their own. */
  double bytesOfPeople(DataSpec spec) {
    return rowsOfPerson(spec) > 0 ? units(spec.range()) * UNIT_BYTES : 0;
  }

  private double block(DataSpec spec, int columns) {
    return Math.min(rows(spec), RowBlocks.BLOCK_ROWS) * columns * Float.BYTES;
  }

  /** In a block are as many units of a size as fit; each size has one in each bucket to fill. */
  private double slots(DataSpec spec, int outputs) {
    int ofUnit = rowsOfUnit(spec);
    int together = RowUnits.MOST_ROWS / ofUnit;
    double filled = units(spec.range()) * ((double) RowUnits.MOST_ROWS / together);
    return filled + (double) buckets(outputs, spec.range()) * ofUnit * RowUnits.MOST_ROWS;
  }

  /** How many rows may be kept. */
  double rows(DataSpec spec) {
    return units(spec.range()) * rowsOfUnit(spec);
  }

  /** How many people there are, or rows that are units of their own. */
  private double units(@Nullable RowRange range) {
    return range == null ? publicRows : Math.min(publicRows, range.size());
  }

  private static int rowsOfUnit(DataSpec spec) {
    return Math.max(1, rowsOfPerson(spec));
  }

  /** 0 where rows are units of their own. */
  static int rowsOfPerson(DataSpec spec) {
    Table table = spec.table();
    return table == null || table.unit() == null ? 0 : table.unitRows();
  }

  /**
   * Makes sure that rows can be put in order and added up.
   *
   * @param most slots whose sums are held by whole numbers, and are near enough as doubles
   * @param areHere whether this process puts all of them in order
   * @throws IOException if they cannot
   */
  static void requireSlots(double slots, double most, boolean areHere) throws IOException {
    double fit = areHere ? Math.min(most, MOST_SLOTS) : most;
    if (slots > fit) {
      throw new IOException(
          "private rows take %.0f slots by their stated number, where sums have room for %.0f"
              .formatted(slots, fit));
    }
  }

  private static boolean mayBeLeft(DataSpec spec) {
    return spec.format() == DataFormat.NPY
        && spec.parts().stream().noneMatch(part -> part.file().toString().endsWith(".gz"));
  }

  private static int stride(int outputs) {
    return (outputs + LANES - 1) / LANES * LANES;
  }

  /**
   * What the longest line, pictures and encoders take while they are read.
   *
   * @param tasks that read at the same time, and share the other threads
   * @param known where encoders are
   * @throws IOException if one is not there
   */
  static double bytesWhileRead(DataSpec spec, int tasks, Encoders known) throws IOException {
    double lines = (double) tasks * LineReader.bytes(spec);
    double encoder = 0;
    for (EncoderReference one : spec.encoders()) {
      encoder = Math.max(encoder, known.bytesOfAThread(one));
    }
    double encoders = encoder * (tasks + ForkJoinPool.getCommonPoolParallelism());
    return lines + encoders + (spec.images() == null ? 0 : ImageDecoder.mostBytes());
  }

  /** What the stated rows take as they are put in order, wherever that is. */
  double bytesInOrder(DataSpec spec, int columns) {
    return inMemory(spec, 0, columns, 0);
  }

  /**
   * What is taken beside rows, as a part of rows, for which there is {@value #HEAP_SHARE} times.
   */
  static double besideRows(double bytes) {
    return bytes / HEAP_SHARE;
  }

  /**
   * Makes sure that rows fit into memory: if they barely did, one row more would end a study that
   * has been charged, and so show.
   *
   * @throws IOException if they do not
   */
  static void requireRoom(double bytes) throws IOException {
    requireRoom(bytes, mostOfHeap());
  }

  /** Of rows by their stated number, in all of this process. */
  static long mostOfHeap() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  static void requireRoom(double bytes, long mostBytes) throws IOException {
    if (bytes > mostBytes) {
      throw new IOException(
          ("private rows with their features, and sums over them, take %.1f GB by their stated"
                  + " number, and %d times that while they are read, more than the %.1f GB of Java's"
                  + " heap: give it more, as by MUTUNE_JAVA_OPTS=-Xmx%.0fg")
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
    int outputs = RowCollector.outputs(spec, pipeline, columns);
    return inMemory(spec, columns, outputs, 0) > mostBytes;
  }

  /** About how many bytes the rows have in memory. */
  double bytes(int features, @Nullable RowRange range) {
    return units(range) * features * Float.BYTES;
  }
}
