package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public description of a data set: where its rows are and what form they have.
 *
 * @param labels the file of labels, for IDX and NPY and only there
 * @param csv of no meaning for other formats; its label column is one that must be there
 * @param labelling what a label may be: one of some classes, or a real target in a range
 * @param features how many columns a row has without its label, 1 to {@link #MAX_FEATURES}; checked
 *     where the file says its own, and required for LIBSVM, where the width would otherwise be
 *     learned from the rows
 * @param range null for all rows; positions go on from one part to the next
 * @param more the parts after the first, whose rows follow in this order
 * @param table the columns by name and type; null where they are numbers, and one the label
 */
public record DataSpec(
    Path file,
    @Nullable Path labels,
    DataFormat format,
    CsvLayout csv,
    Labelling labelling,
    @Nullable Integer features,
    @Nullable RowRange range,
    List<Part> more,
    @Nullable Table table)
    implements RowSpec {
  /** A block of {@link RowBlocks#BLOCK_ROWS} rows is one array. */
  public static final int MAX_FEATURES = Integer.MAX_VALUE / RowBlocks.BLOCK_ROWS;

  public DataSpec {
    more = List.copyOf(more);
    for (Part part : parts(file, labels, more)) {
      if ((part.labels() != null) != format.hasLabelFile()) {
        throw new IllegalArgumentException(
            "idx and npy keep labels in a file of their own, the other formats do not");
      }
    }
    if (features == null && format == DataFormat.LIBSVM) {
      throw new IllegalArgumentException(
          "libsvm needs a public number of features: it must not be learned from the rows");
    }
    checkTable(format, features, table);
    if (format == DataFormat.CSV && table == null && !csv.label().required()) {
      throw new IllegalArgumentException("labelled rows need a label column");
    }
    if (features != null) {
      checkFeatures(features);
    }
  }

  /** One of several files that are one data set, with its file of labels where it has one. */
  public record Part(Path file, @Nullable Path labels) {}

  /** Columns that are numbers. */
  public DataSpec(
      Path file,
      @Nullable Path labels,
      DataFormat format,
      CsvLayout csv,
      Labelling labelling,
      @Nullable Integer features,
      @Nullable RowRange range,
      List<Part> more) {
    this(file, labels, format, csv, labelling, features, range, more, null);
  }

  /**
   * Rows whose columns have names and types.
   *
   * @param files one or more, whose rows follow each other
   * @throws IllegalArgumentException if the table has no label, or the format takes none
   */
  public static DataSpec of(
      List<Path> files, DataFormat format, CsvLayout csv, Table table, @Nullable RowRange range) {
    List<Part> parts = files.stream().map(file -> new Part(file, null)).toList();
    return new DataSpec(
        files.get(0),
        null,
        format,
        csv,
        Labelling.of(table),
        table.width(),
        range,
        parts.subList(1, parts.size()),
        table);
  }

  /** Rows in one file. */
  public DataSpec(
      Path file,
      @Nullable Path labels,
      DataFormat format,
      CsvLayout csv,
      Labelling labelling,
      @Nullable Integer features,
      @Nullable RowRange range) {
    this(file, labels, format, csv, labelling, features, range, List.of());
  }

  /** All the parts, the first one included. */
  public List<Part> parts() {
    return parts(file, labels, more);
  }

  /** The files that it is read from, in order. */
  public List<Path> files() {
    return parts().stream()
        .flatMap(part -> Stream.of(Optional.of(part.file()), Optional.ofNullable(part.labels())))
        .flatMap(Optional::stream)
        .toList();
  }

  private static List<Part> parts(Path file, @Nullable Path labels, List<Part> more) {
    return Stream.concat(Stream.of(new Part(file, labels)), more.stream()).toList();
  }

  /** One part as a data set of its own. */
  DataSpec of(Part part, @Nullable RowRange itsRange) {
    return new DataSpec(
        part.file, part.labels, format, csv, labelling, features, itsRange, List.of(), table);
  }

  /** The same with its files elsewhere. */
  public DataSpec at(UnaryOperator<Path> place) {
    List<Part> moved =
        parts().stream()
            .map(
                part ->
                    new Part(
                        place.apply(part.file()),
                        part.labels() == null ? null : place.apply(part.labels())))
            .toList();
    return new DataSpec(
        moved.get(0).file(),
        moved.get(0).labels(),
        format,
        csv,
        labelling,
        features,
        range,
        moved.subList(1, moved.size()),
        table);
  }

  /**
   * Whether the number of columns is stated, or in a part of the files that no row has a say in.
   * Else the first row decides it, and whoever sees the model knows.
   */
  public boolean columnsAreStated() {
    return features != null || format != DataFormat.CSV || csv.header();
  }

  static void checkFeatures(int features) {
    if (features < 1 || features > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "features must be from 1 to " + MAX_FEATURES + "; was " + features);
    }
  }

  static void checkTable(DataFormat format, @Nullable Integer features, @Nullable Table table) {
    if (table == null) {
      if (format.needsTable()) {
        throw new IllegalArgumentException(format.key() + " needs its columns by name and type");
      }
      return;
    }
    if (!format.takesTable()) {
      throw new IllegalArgumentException(
          format.key() + " has numbers in its columns, and no names or types");
    }
    if (features == null || features != table.width()) {
      throw new IllegalArgumentException(
          "a row of the table becomes " + table.width() + " numbers, not " + features);
    }
  }

  /**
   * Looks at the files' metadata alone and reads no byte of them.
   *
   * @throws IOException if a file is missing, not a regular file or not readable, or named twice,
   *     be it by a link: its rows would count twice
   */
  public void checkReadable() throws IOException {
    for (Part part : parts()) {
      InputFile.checkReadable(part.file());
      if (part.labels() != null) {
        InputFile.checkReadable(part.labels());
      }
    }
    List<Path> files = parts().stream().map(Part::file).toList();
    for (int i = 0; i < files.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (Files.isSameFile(files.get(i), files.get(j))) {
          throw new IOException(files.get(i) + ": is named twice, as " + files.get(j) + " too");
        }
      }
    }
  }
}
