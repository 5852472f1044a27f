package io.mutune.trainer.format;

import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public description of a data set: where its rows are and what form they have.
 *
 * @param parts one or more, whose rows follow each other
 * @param form its label column is one that must be there; it states the number of features of
 *     LIBSVM, whose width would otherwise be learned from the rows
 * @param labelling what a label may be: one of some classes, or a real target in a range
 * @param range null for all rows; positions go on from one part to the next; of pictures there is
 *     none, since one file more would move all that follow
 */
public record DataSpec(
    List<Part> parts, RowForm form, Labelling labelling, @Nullable RowRange range)
    implements RowSpec, Serializable {
  public DataSpec {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a data set needs a file");
    }
    DataFormat format = form.format();
    for (Part part : parts) {
      if ((part.labels() != null) != format.hasLabelFile()) {
        throw new IllegalArgumentException(
            "idx and npy keep labels in a file of their own, the other formats do not");
      }
    }
    if (form.features() == null && format == DataFormat.LIBSVM) {
      throw new IllegalArgumentException(
          "libsvm needs a public number of features: it must not be learned from the rows");
    }
    if (form.images() != null && range != null) {
      throw new IllegalArgumentException(
          "a range is not for images: one file more would move all that follow");
    }
    if (format == DataFormat.CSV && form.table() == null && !form.csv().label().required()) {
      throw new IllegalArgumentException("labelled rows need a label column");
    }
  }

  /**
   * One of several files that are one data set.
   *
   * @param labels the file of labels, for IDX and NPY and only there
   */
  public record Part(Path file, @Nullable Path labels) implements Serializable {
    private record Written(String file, @Nullable String labels) implements Serializable {
      private Object readResolve() {
        return new Part(Path.of(file), labels == null ? null : Path.of(labels));
      }
    }

    /** A path is not serializable. */
    private Object writeReplace() {
      return new Written(file.toString(), labels == null ? null : labels.toString());
    }
  }

  /** Rows in several files without files of labels, whose rows follow each other. */
  public static DataSpec of(
      List<Path> files, RowForm form, Labelling labelling, @Nullable RowRange range) {
    List<Part> parts = files.stream().map(file -> new Part(file, null)).toList();
    return new DataSpec(parts, form, labelling, range);
  }

  /**
   * Rows whose columns have names and types.
   *
   * @param files one or more, whose rows follow each other
   * @throws IllegalArgumentException if the table has no label, or the format takes none
   */
  public static DataSpec of(
      List<Path> files, DataFormat format, CsvLayout csv, Table table, @Nullable RowRange range) {
    return of(files, RowForm.ofTable(format, csv, table), Labelling.of(table), range);
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
    this(
        List.of(new Part(file, labels)),
        RowForm.ofNumbers(format, csv, features),
        labelling,
        range);
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
    return images() != null && ImageSource.Place.of(part.file()) == ImageSource.Place.LIST
        ? Optional.of(ImageSource.folderOf(part.file()))
        : Optional.empty();
  }

  /** One part as a data set of its own. */
  public DataSpec of(Part part, @Nullable RowRange itsRange) {
    return new DataSpec(List.of(part), form, labelling, itsRange);
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
    return new DataSpec(moved, form, labelling, range);
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
    return features() != null || format() != DataFormat.CSV || csv().header();
  }

  /**
   * Looks at the files' metadata alone and reads no byte of them.
   *
   * @throws IOException if a file is missing, not a regular file or not readable, or named twice,
   *     be it by a link or within another: its rows would count twice
   */
  public void checkReadable() throws IOException {
    for (Part part : parts) {
      if (images() != null) {
        ImageSource.checkReadable(part.file());
        continue;
      }
      InputFile.checkReadable(part.file());
      if (part.labels() != null) {
        InputFile.checkReadable(part.labels());
      }
    }
    requireApart();
  }

  private void requireApart() throws IOException {
    Map<Object, Path> byIdentity = new HashMap<>();
    Map<Path, Path> byPlace = new HashMap<>();
    for (Part part : parts) {
      Path real = part.file().toRealPath();
      Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
      Path other = byIdentity.putIfAbsent(key == null ? real : key, part.file());
      if (other != null) {
        throw new IOException(part.file() + ": is named twice, as " + other + " too");
      }
      byPlace.put(real, part.file());
    }
    for (Map.Entry<Path, Path> one : byPlace.entrySet()) {
      for (Path up = one.getKey().getParent(); up != null; up = up.getParent()) {
        if (byPlace.containsKey(up)) {
          throw new IOException(
              one.getValue() + " and " + byPlace.get(up) + ": one lies in the other");
        }
      }
    }
  }
}
