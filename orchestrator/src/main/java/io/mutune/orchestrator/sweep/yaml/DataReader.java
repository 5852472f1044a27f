package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.Declaration;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.UnitOfPrivacy;
import io.mutune.trainer.feature.Constant;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data sections. What validation and test leave out they take from {@code data.private},
 * since the same columns and classes are meant.
 */
final class DataReader {
  static final List<String> FORMATS =
      Arrays.stream(DataFormat.values()).map(DataFormat::key).toList();

  private final SweepContext context;
  private final Map<String, DataPart> parts = new LinkedHashMap<>();

  // Of data.private, as far as they are there, whatever else is wrong with it.
  private StatedForm form = StatedForm.NONE;
  private @Nullable Long rows;
  private @Nullable Table table;
  private boolean hasColumns;
  private @Nullable UnitOfPrivacy unit;
  private boolean hasUnit;
  private @Nullable Long people;
  private Declaration declared = Declaration.PRIVATE;
  private HeldOutShares heldOut = HeldOutShares.NONE;

  DataReader(SweepContext context) {
    this.context = context;
  }

  /**
   * What a data section or a card names.
   *
   * @param training empty if it is missing or wrong, which is noted
   * @param cache the folder in which features are kept
   */
  record Parts(
      Optional<DataSource> training,
      Declaration declared,
      Optional<DataSource> publicRows,
      Optional<DataSource> validation,
      Optional<DataSource> test,
      Optional<Path> cache,
      Optional<UnitOfPrivacy> unit) {
    /** The same with what its rows go through. */
    SweepData data(FeaturePipeline features, Optional<MeanStep> mean, List<String> confirmed) {
      return new SweepData(
          training.orElseThrow(),
          declared,
          publicRows,
          validation,
          test,
          features,
          mean,
          cache,
          confirmed,
          unit);
    }
  }

  /** Reads all parts; whoever asked finishes the section. */
  Parts read(YamlSection data) {
    hasColumns = data.has("columns");
    UnitReader person = UnitReader.read(data, hasColumns);
    unit = person.unit().orElse(null);
    hasUnit = data.has("unit"); // also one with a mistake
    people = person.people().orElse(null);
    table = TableReader.read(data, unit).orElse(null);
    if (table != null) {
      form = StatedForm.of(table, TableReader.labelling(data, table));
    }
    Optional<DataSource> all = training(data);
    heldOut = HeldOutShares.read(data, all, declared, unit != null);
    Optional<DataSource> training = heldOut.isNone() ? all : all.map(heldOut::trained);
    Optional<DataSource> open = publicRows(data);
    Optional<DataSource> validation = held(data, "validation").or(() -> heldOut(all, "validation"));
    Optional<DataSource> test = held(data, "test").or(() -> heldOut(all, "test"));
    parts.computeIfPresent("private", (key, part) -> part.with(training));
    refuseUnprotectedReads();
    Optional<Path> cache = PathReader.read(data, "cache", context, context::resolveOutput);
    return new Parts(training, declared, open, validation, test, cache, Optional.ofNullable(unit));
  }

  /** The table, if the rows are one and nothing is wrong with it. */
  Optional<Table> table() {
    return Optional.ofNullable(table);
  }

  /** Whether there are columns that are wrong: what follows from them is not looked at. */
  boolean hasWrongColumns() {
    return hasColumns && table == null;
  }

  /** The unit of privacy, where it is a person. */
  Optional<UnitOfPrivacy> unit() {
    return Optional.ofNullable(unit);
  }

  /** The maps of rows for which a sweep names none. */
  FeaturePipeline usualFeatures() {
    return table == null
        ? FeaturePipeline.of()
        : FeaturePipeline.of(new Constant(), new L2Normalize());
  }

  /** The public number of training rows, if it is there, whatever else is wrong. */
  Optional<Long> rows() {
    return Optional.ofNullable(rows).map(heldOut::trained);
  }

  /** The greatest public number of rows of a protected part, held out or not, as far as known. */
  Optional<Long> protectedRows() {
    Stream<Long> ofParts =
        parts.values().stream()
            .filter(DataPart::isPrivate)
            .flatMap(part -> part.source().stream())
            .flatMap(source -> source.rows().stream().boxed());
    return Stream.concat(Stream.ofNullable(rows), ofParts).max(Comparator.naturalOrder());
  }

  /** Whether units of the private rows are held out. */
  boolean holdsOut() {
    return !heldOut.isNone();
  }

  /** Whether some training rows stand in the order of their files' names. */
  boolean goByName() {
    return Optional.ofNullable(parts.get("private"))
        .flatMap(DataPart::source)
        .map(DataSource::spec)
        .filter(spec -> spec.images() != null)
        .filter(
            spec ->
                spec.parts().stream()
                    .map(DataSpec.Part::file)
                    .anyMatch(file -> ImageSource.Place.of(file) != ImageSource.Place.LIST))
        .isPresent();
  }

  /** What the sweep says about the training rows. */
  Declaration declared() {
    return declared;
  }

  /** Whether no rows need protection, as far as known. */
  boolean isOpen() {
    return declared.isOpen()
        && Stream.of("validation", "test").noneMatch(key -> isPrivate(key).orElse(false));
  }

  /** What labels may be, if it is there, whatever else is wrong. */
  Optional<Labelling> labelling() {
    return Optional.ofNullable(form.labelling());
  }

  /** The number of classes, 0 for real targets, if it is there, whatever else is wrong. */
  Optional<Integer> classCount() {
    return labelling().map(Labelling::size);
  }

  /** The public number of columns, if it is there, whatever else is wrong. */
  Optional<Integer> featureCount() {
    return Optional.ofNullable(form.features());
  }

  /** Labelled rows that training reads without protection. */
  private Optional<DataSource> publicRows(YamlSection data) {
    Optional<DataSource> rows = held(data, "public");
    if (isPrivate("public").orElse(false)) {
      data.broken("public", "must be public: training reads it without a charge", "private: true");
    }
    return rows;
  }

  /** The stated number of public rows that training reads, if it is there. */
  Optional<Long> publicRowCount() {
    return Optional.ofNullable(parts.get("public"))
        .flatMap(DataPart::source)
        .flatMap(rows -> rows.rows().stream().boxed().findFirst());
  }

  /** Whether a section that is given is private, whatever else is wrong with it. */
  Optional<Boolean> isPrivate(String key) {
    return Optional.ofNullable(parts.get(key)).map(DataPart::isPrivate);
  }

  private Optional<DataSource> training(YamlSection data) {
    if (!data.has("private")) {
      data.missing("private", "name the file of the rows that need protection");
      return Optional.empty();
    }
    return data.section("private")
        .flatMap(
            section -> {
              if (!hasUnit && !section.has("rows")) {
                section.missing(
                    "rows", "state the number of rows in public: noise and steps are scaled by it");
              }
              if (!hasColumns && !section.has("classes") && !section.has("target")) {
                section.missing(
                    "classes", "give the number of classes, or the list of labels, in public");
              }
              section.require("format", "one of " + String.join(", ", FORMATS));
              declared =
                  section
                      .oneOf("declared", Declaration.values(), Declaration::key)
                      .orElse(Declaration.PRIVATE);
              return part("private", section, true);
            });
  }

  /** Validation or test rows: public unless they say {@code private: true}. */
  private Optional<DataSource> held(YamlSection data, String key) {
    if (!data.has(key)) {
      return Optional.empty();
    }
    return data.section(key)
        .flatMap(
            section -> {
              boolean isPrivate = section.flag("private").orElse(false);
              if (isPrivate && !hasUnit && !section.has("rows")) {
                section.missing("rows", "private rows need a public statement about their number");
              }
              return part(key, section, isPrivate);
            });
  }

  /** Private rows of a part that the training rows' files have. */
  private Optional<DataSource> heldOut(Optional<DataSource> all, String key) {
    Optional<DataSource> part = all.flatMap(source -> heldOut.heldOut(source, key));
    DataPart whole = parts.get("private");
    if (part.isPresent() && whole != null) {
      parts.put(key, whole.as(key, part.get()));
    }
    return part;
  }

  /** Notes public rows that are protected ones too. */
  private void refuseUnprotectedReads() {
    for (DataPart open : parts.values()) {
      parts.values().forEach(open::refuseProtectedRows);
    }
  }

  /** Notes parts whose labels or numbers mean something else than the training rows'. */
  void refuseOtherMeanings() {
    DataPart trained = parts.get("private");
    if (trained != null) {
      parts.values().forEach(part -> part.refuseOtherMeaning(trained));
    }
  }

  /** Notes rows that have two parts, for a card, each of whose rows has one. */
  void refuseRowsTwice() {
    List<DataPart> all = List.copyOf(parts.values());
    for (int i = 1; i < all.size(); i++) {
      for (DataPart earlier : all.subList(0, i)) {
        all.get(i).refuseSameRows(earlier);
      }
    }
  }

  /** Notes rows that need charges beside training rows whose studies have no account to charge. */
  void refuseProtectedBesideOpen() {
    if (declared.isOpen()) {
      parts.values().forEach(part -> part.refuseProtectionBeside(declared));
    }
  }

  private Optional<DataSource> part(String key, YamlSection section, boolean isPrivate) {
    Optional<DataSource> source = source(section, key.equals("private"), isPrivate);
    parts.put(key, new DataPart(key, section, isPrivate, source));
    return source;
  }

  private Optional<DataSource> source(YamlSection section, boolean isTraining, boolean isPrivate) {
    section.require("path", "name the file");
    Optional<List<Path>> files = PathReader.readAll(section, "path", context, context::resolve);
    List<Path> labels =
        PathReader.readAll(section, "labels", context, context::resolve).orElse(List.of());
    StatedForm its = form.read(section, hasColumns, files.orElse(List.of()), context);
    Optional<Long> itsRows = section.integer("rows", 1, 1L << 40);
    Optional<Long> itsPeople =
        isTraining ? Optional.ofNullable(people) : UnitReader.people(section, isPrivate && hasUnit);
    RowRange range = RowRangeReader.read(section).orElse(null);
    if (its.format() == null) {
      ImageSourceReader.KEYS.forEach(section::has); // known, whatever the format was to be
    } else {
      boolean inherits =
          !isTraining && (form.features() != null || form.format() == DataFormat.LIBSVM);
      FormatLimits.check(section, its.format(), files.orElse(List.of()), hasColumns, inherits);
    }
    if (files.isPresent() && !labels.isEmpty() && labels.size() != files.get().size()) {
      section.broken(
          "labels", "must be as many files as path (" + files.get().size() + ")", labels.size());
    }
    if (isTraining) {
      form = its;
      rows = unit == null ? itsRows.orElse(null) : people;
    } else {
      form.refuseOther(section, its);
    }
    section.finish();
    Labelling labelling = its.labelling();
    if (section.hasProblems()
        || files.isEmpty()
        || labelling == null
        || !its.isWhole()
        || hasWrongColumns()) {
      return Optional.empty();
    }
    RowForm rowForm = its.rows(table == null || isPrivate ? table : table.withoutUnit());
    DataSpec spec = new DataSpec(parts(files.get(), labels), rowForm, labelling, range);
    Optional<Long> counted = isPrivate && unit != null ? itsPeople : itsRows;
    if (counted.isEmpty() && isPrivate) {
      return Optional.empty();
    }
    OptionalLong stated = counted.map(OptionalLong::of).orElse(OptionalLong.empty());
    return Optional.of(new DataSource(spec, stated, isPrivate));
  }

  private static List<DataSpec.Part> parts(List<Path> files, List<Path> labels) {
    return IntStream.range(0, files.size())
        .mapToObj(i -> new DataSpec.Part(files.get(i), labels.isEmpty() ? null : labels.get(i)))
        .toList();
  }
}
