package io.mutune.orchestrator.cli.model;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the user says of the form of a file; the rest is as it was for the model's own rows. */
final class RowFormOptions {
  private static final List<DataFormat> NAMED =
      List.of(DataFormat.NPY, DataFormat.NPZ, DataFormat.JSONL, DataFormat.PARQUET);

  @Option(
      names = "--type",
      paramLabel = "csv|idx|images|jsonl|libsvm|npy|npz|parquet|tsv",
      description =
          "how FILE holds its rows, gzipped or not (default: by the end of its name where that is"
              + " .npy, .npz, .jsonl or .parquet, else as the training file)")
  private @Nullable DataFormat type;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description =
          "csv and tsv: what separates fields, one character or \\t (default: as in the training"
              + " file)")
  private @Nullable String delimiter;

  @Option(
      names = "--header",
      negatable = true,
      description =
          "csv and tsv: whether the first line names the columns (default: as in the training"
              + " file)")
  private @Nullable Boolean header;

  @Option(
      names = "--label",
      paramLabel = "first|last|NAME|INDEX|none",
      description =
          "csv: which column holds a label, to be skipped; an index counts from 0. Default: by the"
              + " number of columns. As many as the model has features: none. One more: the column"
              + " that was the label in the training file. A label column known by its name is"
              + " found by its name. Not for a model of a table, whose columns have names.")
  private @Nullable String label;

  @Option(
      names = "--line-breaks",
      negatable = true,
      description =
          "csv and tsv: whether fields in quotes may hold line breaks (default: as in the training"
              + " file)")
  private @Nullable Boolean lineBreaks;

  @Option(
      names = "--skip-lines",
      paramLabel = "N",
      description =
          "csv and tsv: how many lines at the head of the file, before a header, are passed over"
              + " (default: 0)")
  private @Nullable Integer skipLines;

  /** Behind what is said of a file that is no Parquet, as the training file was. */
  static String hint(RowForm form) {
    return form.format() == DataFormat.PARQUET ? "; --type says how it holds its rows" : "";
  }

  UnlabelledSpec describe(Path file, RowForm trained) {
    Table table = trained.table();
    boolean isTable = table != null;
    DataFormat format = type == null ? usual(file, trained.format(), isTable) : type;
    if (isTable ? !format.takesTable() : format.needsTable()) {
      throw new UsageException(
          isTable
              ? "--type must be a format whose columns have names: the model's rows are a table"
              : "--type must be a format of numbers: the model knows no columns by name");
    }
    if (format == DataFormat.IMAGES) {
      return images(file, trained);
    }
    if (!format.isDelimited()) {
      refuse("--delimiter", delimiter, format);
      refuse("--header", header, format);
      refuse("--label", label, format);
      refuse("--line-breaks", lineBreaks, format);
      refuse("--skip-lines", skipLines, format);
    }
    if (isTable && label != null) {
      throw new UsageException("--label is not for a table: the model knows its label by name");
    }
    RowForm form =
        table != null && format != trained.format()
            ? RowForm.ofTable(format, RowForm.usualLayout(format, true), table)
            : trained;
    return new UnlabelledSpec(
        file, new RowForm(format, layout(form), form.width(), form.table(), null));
  }

  /** By its name, if that can only be meant so and rows like the model's can be in it. */
  private static DataFormat usual(Path file, DataFormat trained, boolean isTable) {
    String name = file.toString().toLowerCase(Locale.ROOT).replaceFirst("[.]gz$", "");
    return trained == DataFormat.IMAGES
        ? trained
        : NAMED.stream()
            .filter(format -> name.endsWith("." + format.key()))
            .filter(format -> isTable ? format.takesTable() : !format.needsTable())
            .findFirst()
            .orElse(trained);
  }

  /** Pictures become rows as they did for the model. */
  private UnlabelledSpec images(Path file, RowForm trained) {
    ImageSource source = trained.images();
    if (source == null) {
      throw new UsageException(
          "--type images is for a model that was trained on images: no other knows their size");
    }
    refuse("--label", label, DataFormat.IMAGES);
    if (ImageSource.Place.of(file) != ImageSource.Place.LIST) {
      refuse("--delimiter", delimiter, DataFormat.IMAGES);
      refuse("--header", header, DataFormat.IMAGES);
      refuse("--line-breaks", lineBreaks, DataFormat.IMAGES);
      refuse("--skip-lines", skipLines, DataFormat.IMAGES);
    }
    boolean headed = header == null ? trained.csv().header() : header;
    if (source.fileColumn() instanceof LabelColumn.Named && !headed) {
      source = new ImageSource(source.becomes(), new LabelColumn.First());
    }
    CsvLayout csv = trained.csv();
    boolean isKnown =
        csv.label().required() && (headed || !(csv.label() instanceof LabelColumn.Named));
    char usual = csv.label().required() ? csv.delimiter() : ImageSource.usualDelimiter(file);
    CsvLayout layout =
        new CsvLayout(
            delimiter == null ? usual : delimiter(trained),
            headed,
            isKnown ? csv.label() : new LabelColumn.Last(), // looked at to judge the model alone
            lineBreaks == null ? csv.lineBreaks() : lineBreaks,
            skipped());
    return new UnlabelledSpec(file, RowForm.ofImages(layout, source));
  }

  private static void refuse(String option, @Nullable Object value, DataFormat format) {
    if (value != null) {
      throw new UsageException(
          option + " is for csv and tsv, and the file is to be read as " + format.key());
    }
  }

  private CsvLayout layout(RowForm trained) {
    boolean headed = header == null ? trained.csv().header() : header;
    LabelColumn column =
        label == null
            ? usualLabel(trained, headed)
            : label.equals("none") ? new LabelColumn.None() : LabelColumn.of(label);
    if (column instanceof LabelColumn.Named named && !headed) {
      throw new UsageException(
          "--label names a column, '" + named.name() + "', which needs --header");
    }
    return new CsvLayout(
        delimiter(trained),
        headed,
        column,
        lineBreaks == null ? trained.csv().lineBreaks() : lineBreaks,
        skipped());
  }

  /** Of this file alone: what the training file began with says nothing of it. */
  private int skipped() {
    int lines = skipLines == null ? 0 : skipLines;
    if (lines < 0) {
      throw new UsageException("--skip-lines must be 0 or more; was " + lines);
    }
    return lines;
  }

  /** A name means nothing in a file without a header. */
  private static LabelColumn usualLabel(RowForm trained, boolean headed) {
    LabelColumn column = trained.csv().label();
    boolean lost = column instanceof LabelColumn.Named && !headed;
    return column.required() && !lost
        ? new LabelColumn.IfPresent(column, trained.width())
        : new LabelColumn.None();
  }

  private char delimiter(RowForm trained) {
    String text =
        Optional.ofNullable(delimiter)
            .map(given -> given.equals("\\t") ? "\t" : given)
            .orElse(String.valueOf(trained.csv().delimiter()));
    if (!CsvLayout.isDelimiter(text)) {
      throw new UsageException("--delimiter " + CsvLayout.DELIMITER + "; was '" + text + "'");
    }
    return text.charAt(0);
  }
}
