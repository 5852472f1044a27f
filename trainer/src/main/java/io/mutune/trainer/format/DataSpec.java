package io.mutune.trainer.format;

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
 * @param parts one or more, whose rows follow each other
 * @param csv of no meaning for other formats; its label column is one that must be there
 * @param labelling what a label may be: one of some classes, or a real target in a range
 * @param features how many columns a row has without its label, 1 to {@link #MAX_FEATURES}; checked
 *     where the file says its own, and required for LIBSVM, where the width would otherwise be
 *     learned from the rows
 * @param range null for all rows; positions go on from one part to the next
 * @param table the columns by name and type; null where they are numbers, and one the label
 * @param images of pictures, and of them alone; a range counts their names in order, so there is
 *     none
 */
public record DataSpec(
    List<Part> parts,
    DataFormat format,
    CsvLayout csv,
    Labelling labelling,
    @Nullable Integer features,
    @Nullable RowRange range,
    @Nullable Table table,
    @Nullable ImageSource images)
    implements RowSpec {
  /** So many that a block of rows, a few thousand, is one array. */
  public static final int MAX_FEATURES = (1 << 19) - 1;

  public DataSpec {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a data set needs a file");
    }
    for (Part part : parts) {
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
    checkImages(format, features, images);
    if (images != null && range != null) {
      throw new IllegalArgumentException(
          "a range is not for images: one file more would move all that follow");
    }
    if (format == DataFormat.CSV && table == null && !csv.label().required()) {
      throw new IllegalArgumentException("labelled rows need a label column");
    }
    if (features != null) {
      checkFeatures(features);
    }
  }

  /**
   * One of several files that are one data set.
   *
   * @param labels the file of labels, for IDX and NPY and only there
   */
  public record Part(Path file, @Nullable Path labels) {}

  /**
   * Rows whose columns have names and types.
   *
   * @param files one or more, whose rows follow each other
   * @throws IllegalArgumentException if the table has no label, or the format takes none
   */
  public static DataSpec of(
      List<Path> files, DataFormat format, CsvLayout csv, Table table, @Nullable RowRange range) {
    List<Part> parts = files.stream().map(file -> new Part(file, null)).toList();
    return new DataSpec(parts, format, csv, Labelling.of(table), table.width(), range, table, null);
  }

  /**
   * Rows that are files of pictures.
   *
   * @param places one or more folders, zips and lists, whose rows follow each other
   * @param csv of lists
   */
  public static DataSpec ofImages(
      List<Path> places, CsvLayout csv, Labelling labelling, ImageSource images) {
    List<Part> parts = places.stream().map(place -> new Part(place, null)).toList();
    return new DataSpec(
        parts, DataFormat.IMAGES, csv, labelling, images.numbers(), null, null, images);
  }

  /** Rows in one file, in columns that are numbers. */
  public DataSpec(
      Path file,
      @Nullable Path labels,
      DataFormat format,
      CsvLayout csv,
      Labelling labelling,
      @Nullable Integer features,
      @Nullable RowRange range) {
    this(List.of(new Part(file, labels)), format, csv, labelling, features, range, null, null);
  }

  /** Of the first part. */
  @Override
  public Path file() {
    return parts.get(0).file();
  }

  /** Of the first part. */
  @Override
  public @Nullable Path labels() {
    return parts.get(0).labels();
  }

  /** The files and folders that it is read from, in order; of a list of images its folder too. */
  public List<Path> files() {
    return parts.stream()
        .flatMap(
            part ->
                Stream.of(
                    Optional.of(part.file()), Optional.ofNullable(part.labels()), folder(part)))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Path> folder(Part part) {
    return images != null && ImageSource.Place.of(part.file()) == ImageSource.Place.LIST
        ? Optional.of(ImageSource.folderOf(part.file()))
        : Optional.empty();
  }

  /** One part as a data set of its own. */
  public DataSpec of(Part part, @Nullable RowRange itsRange) {
    return new DataSpec(List.of(part), format, csv, labelling, features, itsRange, table, images);
  }

  /**
   * The same with its files elsewhere.
   *
   * @throws IllegalArgumentException if a list would leave the folder of its files
   */
  public DataSpec at(UnaryOperator<Path> place) {
    for (Part part : parts) {
      folder(part).ifPresent(folder -> checkTogether(place, part.file(), folder));
    }
    List<Part> moved =
        parts.stream()
            .map(
                part ->
                    new Part(
                        place.apply(part.file()),
                        part.labels() == null ? null : place.apply(part.labels())))
            .toList();
    return new DataSpec(moved, format, csv, labelling, features, range, table, images);
  }

  private static void checkTogether(UnaryOperator<Path> place, Path list, Path folder) {
    if (!ImageSource.folderOf(place.apply(list)).equals(place.apply(folder))) {
      throw new IllegalArgumentException(list + ": is a link to a list in another folder");
    }
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

  static void checkImages(
      DataFormat format, @Nullable Integer features, @Nullable ImageSource images) {
    if ((format == DataFormat.IMAGES) != (images != null)) {
      throw new IllegalArgumentException("images, and they alone, need their public size");
    }
    if (images != null && (features == null || features != images.numbers())) {
      throw new IllegalArgumentException(
          "a picture becomes " + images.numbers() + " numbers, not " + features);
    }
  }

  /**
   * Looks at the files' metadata alone and reads no byte of them.
   *
   * @throws IOException if a file is missing, not a regular file or not readable, or named twice,
   *     be it by a link or within another: its rows would count twice
   */
  public void checkReadable() throws IOException {
    for (Part part : parts) {
      if (images != null) {
        ImageSource.checkReadable(part.file());
        continue;
      }
      InputFile.checkReadable(part.file());
      if (part.labels() != null) {
        InputFile.checkReadable(part.labels());
      }
    }
    List<Path> files = parts.stream().map(Part::file).toList();
    for (int i = 0; i < files.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (Files.isSameFile(files.get(i), files.get(j))) {
          throw new IOException(files.get(i) + ": is named twice, as " + files.get(j) + " too");
        }
        Path one = files.get(i).toRealPath();
        Path other = files.get(j).toRealPath();
        if (one.startsWith(other) || other.startsWith(one)) {
          throw new IOException(files.get(i) + " and " + files.get(j) + ": one lies in the other");
        }
      }
    }
  }
}
