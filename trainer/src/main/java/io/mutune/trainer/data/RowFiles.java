package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a private data set and how they are read, for machines that read them by themselves
 * and see them under the same paths. A row goes through the same reader, the same rules and the
 * same maps as in one process, and follows from its file alone.
 */
public final class RowFiles implements Serializable {
  private static final long serialVersionUID = 1;

  private final WrittenSpec written;
  private final FeaturePipeline pipeline;
  private final UnfitRows unfit;
  private final int inputs;
  private final int columns;
  private final List<Stamp> stamps;

  private RowFiles(
      WrittenSpec written,
      FeaturePipeline pipeline,
      UnfitRows unfit,
      int inputs,
      int columns,
      List<Stamp> stamps) {
    this.written = written;
    this.pipeline = pipeline;
    this.unfit = unfit;
    this.inputs = inputs;
    this.columns = columns;
    this.stamps = List.copyOf(stamps);
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
   * Empty where only this machine can read them: pictures, texts that are encoded, a range over
   * several files, and rows whose number of columns stands nowhere but in them. By public facts
   * alone.
   *
   * @throws IOException if the head of the first file is needed and cannot be read
   */
  static Optional<RowFiles> of(DataSpec spec, FeaturePipeline pipeline, UnfitRows unfit)
      throws IOException {
    boolean here =
        spec.images() != null
            || !spec.encoders().isEmpty()
            || (spec.range() != null && !spec.more().isEmpty());
    OptionalInt inputs = here ? OptionalInt.empty() : inputs(spec);
    if (inputs.isEmpty()) {
      return Optional.empty();
    }
    spec.checkReadable();
    WrittenSpec written = WrittenSpec.of(spec);
    List<Stamp> stamps = new ArrayList<>();
    for (String file :
        Stream.concat(written.files().stream(), written.labels().stream()).toList()) {
      stamps.add(Stamp.of(Path.of(file)));
    }
    int columns = RowCollector.outputs(spec, pipeline, inputs.getAsInt());
    return Optional.of(
        new RowFiles(written, pipeline, unfit.anew(), inputs.getAsInt(), columns, stamps));
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
    return written.files().size();
  }

  /** The number of features of every row as it is trained on. */
  public int columns() {
    return columns;
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
   * @throws IOException if it cannot be read, is no file of such rows, or has changed
   */
  public void read(int file, RowBuckets buckets, int parts, Taker taker) throws IOException {
    DataSpec all = written.spec();
    check(file);
    UnfitRows counted = unfit.anew();
    DataSpec.Part part = all.parts().get(file);
    RowPieces pieces =
        new RowPieces(
            file, part.file(), pipeline, inputs, hasUnits(all.table()), buckets, parts, taker);
    RowReader.of(all.of(part, written.range())).read(counted.around(pieces));
    pieces.finish(counted.count());
    check(file);
  }

  private void check(int file) throws IOException {
    stamps.get(file).check();
    if (!written.labels().isEmpty()) {
      stamps.get(count() + file).check();
    }
  }

  /**
   * The rows of a part in the order of the data set, of all its pieces in any order.
   *
   * @throws IllegalStateException if one tells that its file could not be read; in one line
   */
  public RowBlocks joined(List<RowPiece> pieces) {
    List<RowPiece> inOrder = new ArrayList<>(pieces);
    inOrder.sort(Comparator.comparingInt(RowPiece::file).thenComparingInt(RowPiece::number));
    List<RowBlocks.Block> blocks = new ArrayList<>();
    UnitNames names = new UnitNames();
    List<Integer> unitOf = new ArrayList<>();
    for (RowPiece piece : inOrder) {
      piece.check();
      blocks.add(new RowBlocks.Block(piece.features(), piece.labels()));
      if (piece.units() != null) {
        for (String unit : piece.units()) {
          unitOf.add(names.number(unit));
        }
      }
    }
    RowBlocks rows = new RowBlocks(columns, blocks, written.labelling().size() == Labelling.REAL);
    Table table = written.table();
    return table == null || !hasUnits(table)
        ? rows
        : rows.withUnits(
            names.kept(unitOf.stream().mapToInt(Integer::intValue).toArray(), table.unitRows()));
  }

  private static boolean hasUnits(@Nullable Table table) {
    return table != null && table.unit() != null;
  }

  /** Says nothing of the rows, so that no message can. */
  @Override
  public String toString() {
    return "RowFiles";
  }
}
