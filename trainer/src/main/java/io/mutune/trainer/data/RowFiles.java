package io.mutune.trainer.data;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.InputFile;
import io.mutune.trainer.format.NpyFile;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.format.RowReader;
import io.mutune.trainer.format.RowSink;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The files of a private data set and how they are read, for machines that read them by themselves
 * and see them under the same paths. A row goes through the same reader, the same rules and the
 * same maps as in one process, and follows from its file alone.
 */
public final class RowFiles implements Serializable {
  private static final long serialVersionUID = 1;

  /** Begins what is told of a file that a machine could not read, on whatever way it comes. */
  public static final String UNREAD = "a file could not be read: ";

  private static final String RANGE = "a range is what rows are counted for";

  private final DataSpec spec;
  private final FeaturePipeline pipeline;
  private final UnfitRows unfit;
  private final int inputs;
  private final int columns;

  /** What a file's people take who reads it, were all stated ones in it. */
  private final double bytesOfPeople;

  /** Of this machine, where the rows are pictures; else empty. */
  private final String decoders;

  /** Of each file and its labels, in the order of the files. */
  private final List<Stamp> stamps;

  /**
   * Of each file, where a range goes over several and they have been counted; as private as they
   * are.
   */
  private final List<Long> rows;

  private RowFiles(
      DataSpec spec,
      FeaturePipeline pipeline,
      UnfitRows unfit,
      int inputs,
      int columns,
      double bytesOfPeople,
      String decoders,
      List<Stamp> stamps,
      List<Long> rows) {
    this.spec = spec;
    this.pipeline = pipeline;
    this.unfit = unfit;
    this.inputs = inputs;
    this.columns = columns;
    this.bytesOfPeople = bytesOfPeople;
    this.decoders = decoders;
    this.stamps = List.copyOf(stamps);
    this.rows = List.copyOf(rows);
  }

  /** By what a file is known again without reading it. */
  private record Stamp(String file, long bytes, long modified) implements Serializable {
    static Stamp of(Path file) throws IOException {
      return new Stamp(
          file.toString(), Files.size(file), Files.getLastModifiedTime(file).toMillis());
    }

    void check() throws IOException {
      Path path = Path.of(file);
      InputFile.checkReadable(path);
      if (!of(path).equals(this)) {
        throw DataFormatException.in(path, "has changed since the study began to read it");
      }
    }
  }

  /**
   * Empty where only this machine can read them: pictures that are not in zips, of which each file
   * could be there or readable on one machine and not on another, and rows whose number of columns
   * stands nowhere but in them. By public facts alone.
   *
   * @param storage by the stated number of rows
   * @throws IOException if the head of the first file is needed and cannot be read
   */
  static Optional<RowFiles> of(
      DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit, RowStorage storage)
      throws IOException {
    boolean inFiles =
        spec.images() == null
            || spec.parts().stream()
                .allMatch(part -> ImageSource.Place.of(part.file()) == ImageSource.Place.ZIP);
    OptionalInt inputs = inputs(spec);
    if (!inFiles || inputs.isEmpty()) {
      return Optional.empty();
    }
    spec.checkReadable();
    DataSpec written = spec.at(Path::toAbsolutePath);
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : written.files()) {
      stamps.add(Stamp.of(file));
    }
    int columns = RowCollector.outputs(spec, pipeline, inputs.getAsInt());
    return Optional.of(
        new RowFiles(
            written,
            pipeline,
            unfit.anew(),
            inputs.getAsInt(),
            columns,
            storage.bytesOfPeople(spec),
            spec.images() == null ? "" : ImageDecoder.identity(),
            stamps,
            List.of()));
  }

  private static OptionalInt inputs(DataSpec spec) throws IOException {
    Integer stated = spec.features();
    if (stated != null) {
      return OptionalInt.of(stated);
    }
    return spec.format() == DataFormat.NPY
        ? OptionalInt.of(NpyFile.columnsOf(spec.file()))
        : OptionalInt.empty();
  }

  /** How many files there are, each read by itself. */
  public int count() {
    return spec.parts().size();
  }

  /** The number of features of every row as it is trained on. */
  public int columns() {
    return columns;
  }

  /** Whether rows are units', several of which may be one's. */
  public boolean haveUnits() {
    return RowStorage.rowsOfPerson(spec) > 0;
  }

  /**
   * About how many bytes reading takes in this process, by public numbers.
   *
   * @param tasks that read a file each at the same time
   * @param known where {@link #encoders} are
   * @throws IOException if one is not there
   */
  public double bytesWhileRead(int tasks, Encoders known) throws IOException {
    return RowStorage.bytesWhileRead(spec, tasks, known) + tasks * bytesOfPeople;
  }

  /** How many bytes of this process's memory its tasks may take together. */
  public static long room() {
    return RowStorage.mostOfHeap();
  }

  /**
   * Makes sure that this process reads as the one that the files come from.
   *
   * @throws IOException if it lacks a library, or decodes pictures otherwise; in one line
   */
  public void requireReader(RowBuckets buckets) throws IOException {
    try {
      buckets.orders(0).draw(2);
      if (!decoders.isEmpty()) {
        ImageDecoder.requireSame(decoders);
      }
    } catch (LinkageError e) {
      throw new IOException("a machine that reads lacks a class: " + e.getMessage(), e);
    }
  }

  /** The encoders of its texts, in the order of their columns, or of its pictures. */
  public List<EncoderReference> encoders() {
    return spec.encoders();
  }

  /**
   * Whether a range goes over several files, so that the rows of each have to be counted before any
   * is read.
   */
  public boolean needCounts() {
    return spec.range() != null && count() > 1 && rows.isEmpty();
  }

  /**
   * How many rows a file has, those that do not fit included and those behind the range's end not.
   *
   * @param rows as private as they are; those before a problem
   * @param problem why the file cannot be read on, in one line
   */
  public record Counted(long rows, @Nullable String problem) implements Serializable {}

  /** Reads a file through and counts. */
  public Counted counted(int file) {
    Counting counting = new Counting();
    try {
      check(file);
      RowRange range = Objects.requireNonNull(spec.range(), RANGE);
      DataSpec alone = spec.of(spec.parts().get(file), new RowRange(1, range.last()));
      UnfitRows passed = UnfitRows.of(Adjacency.ADD_REMOVE);
      return new Counted(RowReader.unencoded(alone).read(passed.around(counting)), null);
    } catch (IOException e) {
      return new Counted(counting.rows, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The same files, once counted: the range of each is known.
   *
   * @throws IllegalStateException if one could not be as far as the range goes; in one line
   */
  public RowFiles with(List<Counted> counts) {
    RowRange range = Objects.requireNonNull(spec.range(), RANGE);
    List<Long> all = new ArrayList<>();
    long before = 0;
    for (Counted file : counts) {
      before += file.rows();
      if (file.problem() != null && before < range.last()) {
        throw new IllegalStateException(UNREAD + file.problem());
      }
      all.add(file.rows());
    }
    return new RowFiles(
        spec, pipeline, unfit, inputs, columns, bytesOfPeople, decoders, stamps, all);
  }

  /**
   * A file as a data set of its own, with what is left of the range; empty where that ends before.
   */
  private Optional<DataSpec> alone(int file) {
    DataSpec.Part part = spec.parts().get(file);
    RowRange range = spec.range();
    if (needCounts()) {
      throw new IllegalStateException("the files' rows have not been counted");
    }
    if (range == null || rows.isEmpty()) {
      return Optional.of(spec.of(part, range));
    }
    long before = rows.stream().limit(file).mapToLong(Long::longValue).sum();
    return Optional.ofNullable(range.after(before)).map(left -> spec.of(part, left));
  }

  /** Takes rows that are only counted. */
  private static final class Counting implements RowSink {
    private long rows;

    @Override
    public void begin(int columns) {}

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      rows++;
    }

    @Override
    public void skipped() {
      rows++;
    }
  }

  /** Takes what is read of a file. */
  @FunctionalInterface
  public interface Taker {
    /**
     * A piece more, of those of a part in their order.
     *
     * @param part from 0; one beyond the last for what belongs to none
     */
    void take(int part, RowPiece piece);
  }

  /**
   * Reads a file.
   *
   * @param file from 0
   * @param parts into which the buckets go
   * @param known where {@link #encoders} are opened
   * @throws IOException if it cannot be read, is no file of such rows, or has changed, or if an
   *     encoder cannot be opened
   */
  public void read(int file, RowBuckets buckets, int parts, Encoders known, Taker taker)
      throws IOException {
    Optional<DataSpec> alone = alone(file);
    requireReader(buckets);
    UnfitRows counted = unfit.anew();
    RowPieces pieces =
        new RowPieces(
            file,
            spec.parts().get(file).file(),
            pipeline,
            inputs,
            spec.table(),
            buckets,
            parts,
            taker);
    if (alone.isPresent()) {
      check(file);
      RowReader.of(alone.get(), known).read(counted.around(pieces));
      check(file);
    }
    pieces.finish(counted.count());
  }

  private void check(int file) throws IOException {
    int each = stamps.size() / count();
    for (Stamp stamp : stamps.subList(file * each, (file + 1) * each)) {
      stamp.check();
    }
  }

  /** Joins pieces of these files to the rows of a part. */
  public JoinedRows join() {
    return new JoinedRows(spec, columns);
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowFiles";
  }
}
