package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of a part's rows and what their labels may be, as far as they are there, whatever else
 * is wrong with it.
 *
 * @param features the number of columns
 */
record StatedForm(
    @Nullable DataFormat format,
    CsvLayout csv,
    @Nullable Labelling labelling,
    @Nullable Integer features,
    @Nullable ImageSource images) {
  static final StatedForm NONE = new StatedForm(null, CsvLayout.standard(), null, null, null);

  /** Of the columns alone. */
  static StatedForm of(Table table, Optional<Labelling> labelling) {
    return new StatedForm(null, NONE.csv, labelling.orElse(null), table.width(), null);
  }

  /**
   * The form of another part, which has what this one has where it says nothing.
   *
   * @param hasColumns by name and type, which state labels and features
   */
  StatedForm read(YamlSection section, boolean hasColumns, List<Path> files, SweepContext context) {
    DataFormat its =
        section.word("format", DataReader.FORMATS).map(DataFormat::ofKey).orElse(format);
    CsvLayout layout = CsvLayoutReader.read(section, usualLayout(section, its, hasColumns, files));
    if (its == DataFormat.IMAGES) {
      ImageSource source = ImageSourceReader.read(section, images, layout.header()).orElse(null);
      Integer numbers = source == null ? null : source.numbers();
      section.count("features", 1, RowForm.MAX_FEATURES);
      return new StatedForm(its, layout, labelling(section, hasColumns), numbers, source);
    }
    return new StatedForm(
        its,
        layout,
        labelling(section, hasColumns),
        hasColumns ? features : columns(section, its, layout, context),
        null);
  }

  private @Nullable Labelling labelling(YamlSection section, boolean hasColumns) {
    return hasColumns ? labelling : LabellingReader.read(section).orElse(labelling);
  }

  private @Nullable Integer columns(
      YamlSection section, @Nullable DataFormat its, CsvLayout layout, SweepContext context) {
    Integer stated = section.count("features", 1, RowForm.MAX_FEATURES).orElse(features);
    boolean isSilent = its == DataFormat.CSV && !layout.header();
    return stated == null && isSilent && context.form().columns() > 0
        ? Integer.valueOf(context.form().columns())
        : stated;
  }

  /** What a section that says nothing of its layout has. */
  private CsvLayout usualLayout(
      YamlSection section, @Nullable DataFormat its, boolean hasColumns, List<Path> files) {
    boolean isInherited = its == format;
    if (its == DataFormat.IMAGES) {
      CsvLayout list = isInherited ? csv : CsvLayout.standard();
      boolean isTabbed = files.stream().anyMatch(file -> ImageSource.usualDelimiter(file) == '\t');
      return isTabbed && !section.has("delimiter")
          ? new CsvLayout('\t', list.header(), list.label(), list.lineBreaks(), 0)
          : list;
    }
    if (isInherited) {
      return csv;
    }
    return hasColumns && its != null
        ? CsvLayout.ofTable(its.usualDelimiter(), true, false, 0)
        : CsvLayout.standard();
  }

  /** Whether all is there that its format needs. */
  boolean isWhole() {
    return format != null
        && (format != DataFormat.IMAGES || images != null)
        && (format != DataFormat.LIBSVM || features != null);
  }

  /** The form, where it {@link #isWhole}. */
  RowForm rows(@Nullable Table table) {
    return new RowForm(Objects.requireNonNull(format), csv, features, table, images);
  }

  /**
   * Notes where another part has another number of labels or of columns. The model is made for this
   * one: found out at the end, another would cost the whole budget.
   */
  void refuseOther(YamlSection section, StatedForm its) {
    Labelling itsLabelling = its.labelling;
    if (labelling instanceof TargetRange && !labelling.equals(itsLabelling)) {
      section.broken(
          section.has("target") ? "target" : "classes",
          "must be left out or what data.private has",
          "another");
    } else if (labelling != null
        && itsLabelling != null
        && itsLabelling.size() != labelling.size()) {
      section.broken(
          itsLabelling instanceof TargetRange ? "target" : "classes",
          "must be as many as data.private has (" + labelling.size() + ")",
          itsLabelling.size());
    }
    if (features != null && !features.equals(its.features)) {
      section.broken(
          Stream.of("size", "channels").filter(section::has).findFirst().orElse("features"),
          "must be as many as data.private has (" + features + ")");
    }
  }
}
