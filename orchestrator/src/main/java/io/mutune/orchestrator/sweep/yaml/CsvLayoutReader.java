package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.LabelColumn;
import java.util.List;
import java.util.Optional;

/** Reads how delimited text is laid out: of rows, or of a list of files. */
final class CsvLayoutReader {
  /** The keys that mean nothing elsewhere. */
  static final List<String> KEYS =
      List.of("delimiter", "header", "label", "lineBreaks", "skipLines");

  private CsvLayoutReader() {}

  /**
   * The layout, with what the section leaves out taken from another.
   *
   * @param inherited all but its skipped lines
   */
  static CsvLayout read(YamlSection section, CsvLayout inherited) {
    Optional<String> delimiter = section.text("delimiter");
    if (delimiter.isPresent() && !CsvLayout.isDelimiter(delimiter.get())) {
      section.broken("delimiter", CsvLayout.DELIMITER, '"' + delimiter.get() + '"');
      delimiter = Optional.empty();
    }
    Optional<Boolean> flag = section.flag("header");
    boolean header = flag.orElse(inherited.header());
    // Of this file alone: parts of a set seldom begin alike.
    int skipped = section.count("skipLines", 0, 1_000_000).orElse(0);
    LabelColumn label = section.text("label").map(LabelColumn::of).orElse(inherited.label());
    if (label instanceof LabelColumn.Named named && !header) {
      if (flag.isPresent() || !section.has("header")) {
        section.broken("label", "names a column, which needs header: true", named.name());
      }
      label = new LabelColumn.Last();
    }
    return new CsvLayout(
        delimiter.map(text -> text.charAt(0)).orElse(inherited.delimiter()),
        header,
        label,
        section.flag("lineBreaks").orElse(inherited.lineBreaks()),
        skipped);
  }
}
