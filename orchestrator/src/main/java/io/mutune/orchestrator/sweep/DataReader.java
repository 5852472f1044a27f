package io.mutune.orchestrator.sweep;

import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.LabelColumn;
import io.mutune.trainer.data.RowRange;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data sections. What validation and test leave out they take from {@code data.private},
 * since the same columns and classes are meant.
 */
final class DataReader {
  private static final List<String> FORMATS =
      Arrays.stream(DataFormat.values()).map(DataFormat::key).toList();

  private final SweepContext context;
  private @Nullable DataFormat format;
  private @Nullable CsvLayout csv;
  private @Nullable ClassLabels classes;
  private @Nullable Integer features;

  DataReader(SweepContext context) {
    this.context = context;
  }

  Optional<DataSource> training(YamlSection data) {
    if (!data.has("private")) {
      data.missing("private", "name the file of the rows that need protection");
      return Optional.empty();
    }
    return data.section("private")
        .flatMap(
            section -> {
              if (!section.has("rows")) {
                section.missing(
                    "rows", "state the number of rows in public: noise and steps are scaled by it");
              }
              if (!section.has("classes")) {
                section.missing(
                    "classes", "give the number of classes, or the list of labels, in public");
              }
              return source(section, true);
            });
  }

  /** Validation or test rows: public unless they say {@code private: true}. */
  Optional<DataSource> held(YamlSection data, String key) {
    if (!data.has(key)) {
      return Optional.empty();
    }
    return data.section(key)
        .flatMap(
            section -> {
              boolean isPrivate = section.flag("private").orElse(false);
              if (isPrivate && !section.has("rows")) {
                section.missing("rows", "private rows need a public statement about their number");
                return Optional.empty();
              }
              return source(section, isPrivate);
            });
  }

  private Optional<DataSource> source(YamlSection section, boolean isPrivate) {
    Optional<Path> path = path(section, "path");
    if (!section.has("path")) {
      section.missing("path", "name the file");
    }
    Optional<Path> labels = path(section, "labels");
    format = section.word("format", FORMATS).map(DataFormat::ofKey).orElse(format);
    if (!section.has("format") && format == null) {
      section.missing("format", "one of " + String.join(", ", FORMATS));
    }
    classes = classes(section).orElse(classes);
    csv = csv(section);
    features =
        section.integer("features", 1, DataSpec.MAX_FEATURES).map(Long::intValue).orElse(features);
    Optional<Long> rows = section.integer("rows", 1, 1L << 40);
    RowRange range = range(section).orElse(null);
    checkFormat(section, labels.isPresent());
    section.finish();
    boolean broken = section.hasProblems();
    if (broken
        || path.isEmpty()
        || format == null
        || classes == null
        || (isPrivate && rows.isEmpty())) {
      return Optional.empty();
    }
    DataSpec spec =
        new DataSpec(path.get(), labels.orElse(null), format, csv, classes, features, range);
    OptionalLong stated = rows.map(OptionalLong::of).orElse(OptionalLong.empty());
    return Optional.of(new DataSource(spec, stated, isPrivate));
  }

  private void checkFormat(YamlSection section, boolean hasLabels) {
    if (format == DataFormat.IDX && !section.has("labels")) {
      section.missing("labels", "idx keeps labels in a file of their own");
    }
    if (format != null && format != DataFormat.IDX && hasLabels) {
      section.broken("labels", "is for idx only", "given with " + format.key());
    }
    if (format == DataFormat.LIBSVM && features == null && !section.has("features")) {
      section.missing(
          "features", "state the number of columns in public: libsvm files do not say it");
    }
  }

  private Optional<Path> path(YamlSection section, String key) {
    Optional<String> text = section.text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> missing = context.missingVariable(text.get());
    if (missing.isPresent()) {
      section.broken(
          key,
          "needs the environment variable " + missing.get() + ", which is not set",
          text.get());
      return Optional.empty();
    }
    try {
      return Optional.of(context.resolve(text.get()));
    } catch (InvalidPathException e) {
      section.broken(key, "must be a path", text.get());
      return Optional.empty();
    }
  }

  private Optional<ClassLabels> classes(YamlSection section) {
    if (!section.has("classes")) {
      return Optional.empty();
    }
    if (!section.isSequence("classes")) {
      return section.integer("classes", 2, 100_000).map(count -> ClassLabels.of(count.intValue()));
    }
    return section
        .texts("classes")
        .flatMap(
            names -> {
              try {
                return Optional.of(new ClassLabels(names));
              } catch (IllegalArgumentException e) {
                section.broken(
                    "classes", "must be two or more different labels", String.join(", ", names));
                return Optional.empty();
              }
            });
  }

  private CsvLayout csv(YamlSection section) {
    CsvLayout inherited = csv == null ? CsvLayout.standard() : csv;
    Optional<String> delimiter = section.text("delimiter");
    if (delimiter.isPresent() && !delimiter.get().matches("[^\"#\\r\\n]")) {
      section.broken(
          "delimiter", "must be one character, no quote and no #", '"' + delimiter.get() + '"');
      delimiter = Optional.empty();
    }
    boolean header = section.flag("header").orElse(inherited.header());
    LabelColumn label = section.text("label").map(LabelColumn::of).orElse(inherited.label());
    if (label instanceof LabelColumn.Named named && !header) {
      section.broken("label", "names a column, which needs header: true", named.name());
      label =
          inherited.label() instanceof LabelColumn.Named
              ? new LabelColumn.Last()
              : inherited.label();
    }
    return new CsvLayout(
        delimiter.map(text -> text.charAt(0)).orElse(inherited.delimiter()), header, label);
  }

  private static Optional<RowRange> range(YamlSection data) {
    return data.section("range")
        .flatMap(
            section -> {
              Optional<Long> first = section.integer("first", 1, 1L << 40);
              Optional<Long> last = section.integer("last", 1, 1L << 40);
              for (String key : List.of("first", "last")) {
                if (!section.has(key)) {
                  section.missing(key, "a range is first and last row, counted from 1, both taken");
                }
              }
              section.finish();
              if (first.isPresent() && last.isPresent() && last.get() < first.get()) {
                section.broken("last", "must be at least first (" + first.get() + ")", last.get());
                return Optional.empty();
              }
              return first.flatMap(from -> last.map(to -> new RowRange(from, to)));
            });
  }
}
