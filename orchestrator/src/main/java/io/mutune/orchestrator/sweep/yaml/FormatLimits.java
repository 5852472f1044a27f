package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.ImageSource;
import java.nio.file.Path;
import java.util.List;

/** Holds the keys of a part of the data against the format that it names. */
record FormatLimits(YamlSection section, DataFormat format) {
  /**
   * Notes every key that the format has no use for, or lacks.
   *
   * @param files that the section names, as far as they are known
   * @param hasColumns whether columns are described by name and type
   * @param inherits whether another part states how many columns there are
   */
  static void check(
      YamlSection section,
      DataFormat format,
      List<Path> files,
      boolean hasColumns,
      boolean inherits) {
    FormatLimits limits = new FormatLimits(section, format);
    limits.checkLabels();
    limits.checkTable(hasColumns);
    if (format == DataFormat.LIBSVM && !section.has("features") && !inherits) {
      section.missing(
          "features", "state the number of columns in public: libsvm files do not say it");
    }
    limits.checkText(files);
    limits.checkImages();
  }

  private void checkLabels() {
    if (format.hasLabelFile() && !section.has("labels")) {
      section.missing("labels", format.key() + " keeps labels in a file of their own");
    }
    if (!format.hasLabelFile() && section.has("labels")) {
      section.broken("labels", "is for idx and npy only", "given with " + format.key());
    }
  }

  private void checkTable(boolean hasColumns) {
    if (format.needsTable() && !hasColumns) {
      section.broken("format", "needs columns, by name and type", format.key());
    }
    if (!format.takesTable() && hasColumns) {
      section.broken(
          "format", "has numbers without names: columns are for csv, tsv, jsonl and parquet");
    }
    for (String key : List.of("classes", "target", "features", "label")) {
      if (hasColumns && section.has(key)) {
        section.broken(key, "must be left out: columns say it");
      }
    }
  }

  private void checkText(List<Path> files) {
    boolean isList = format == DataFormat.IMAGES && files.stream().anyMatch(FormatLimits::isList);
    for (String key : CsvLayoutReader.KEYS) {
      if (!format.isDelimited() && !isList && section.has(key)) {
        boolean isImages = format == DataFormat.IMAGES;
        section.broken(
            key,
            isImages ? "is for lists of images only" : "is for csv and tsv only",
            "given with " + (isImages ? "no list" : format.key()));
      }
    }
    if (format == DataFormat.IMAGES && !isList && section.has(ImageSourceReader.FILE)) {
      section.broken(ImageSourceReader.FILE, "is for lists of images only", "given with no list");
    }
  }

  private static boolean isList(Path file) {
    return ImageSource.Place.of(file) == ImageSource.Place.LIST;
  }

  private void checkImages() {
    if (format != DataFormat.IMAGES) {
      for (String key : ImageSourceReader.KEYS) {
        if (section.has(key)) {
          section.broken(key, "is for images only", "given with " + format.key());
        }
      }
      return;
    }
    if (section.has("features")) {
      section.broken("features", "must be left out: size and channels, or numbers, say it");
    }
    if (section.has("range")) {
      section.broken(
          "range", "is not for images: one file more would move all that follow", "given");
    }
  }
}
