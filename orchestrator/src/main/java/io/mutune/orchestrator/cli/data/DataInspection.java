package io.mutune.orchestrator.cli.data;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.check.DataReport;
import io.mutune.trainer.check.TableReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is in the files of a data set, read in full for whoever holds them: it is not charged, and
 * so for nobody else, and is not stored.
 *
 * @param sound whether they have the form that is said of them
 */
record DataInspection(boolean sound, ObjectNode json, String text) {
  private static final String PRIVATE =
      "PRIVATE: these figures were read from the rows without a charge. Do not pass them on.";

  /** What a byte that is not UTF-8 is read as. */
  private static final char REPLACEMENT = '\uFFFD';

  static DataInspection of(SweepData set) throws IOException {
    Map<String, DataSource> sources = new LinkedHashMap<>();
    sources.put("private", set.training());
    set.publicRows().ifPresent(source -> sources.put("public", source));
    // Units that are held out are read with the private part.
    set.validation().filter(v -> v.side().isEmpty()).ifPresent(v -> sources.put("validation", v));
    set.test().filter(t -> t.side().isEmpty()).ifPresent(t -> sources.put("test", t));
    Optional<String> otherOrder =
        DataCheck.otherOrder(sources.values().stream().map(DataSource::spec).toList());
    boolean sound = otherOrder.isEmpty();
    ObjectNode json = Json.document().put("private", true).put("warning", PRIVATE);
    StringBuilder text = new StringBuilder(PRIVATE).append("\n\n");
    ObjectNode data = json.putObject("data");
    OptionalInt columns = OptionalInt.empty();
    for (Map.Entry<String, DataSource> part : sources.entrySet()) {
      DataSource source = part.getValue();
      DataReport report = DataCheck.read(source.spec(), set.features());
      List<String> problems = new ArrayList<>(report.problems());
      if (columns.isPresent() && columns.getAsInt() != report.columns()) {
        problems.add(
            "data.%s has rows of %d numbers, data.private of %d"
                .formatted(part.getKey(), report.columns(), columns.getAsInt()));
      }
      columns = columns.isPresent() ? columns : OptionalInt.of(report.columns());
      Optional<String> otherEncoding = DataCheck.otherEncoding(source.spec());
      OptionalLong stated = set.stated(source);
      // Told, and refused where it is in a class's name: elsewhere it may be in a column that is
      // not read.
      sound &= problems.isEmpty() && (otherEncoding.isEmpty() || areReadable(report));
      otherEncoding.ifPresent(problems::add);
      data.set(part.getKey(), json(report, stated, problems));
      text.append("data.").append(part.getKey()).append(": ").append(source.spec().file());
      text.append('\n').append(text(report, stated, problems)).append('\n');
    }
    otherOrder.ifPresent(problem -> text.append("PROBLEM: ").append(problem).append('\n'));
    otherOrder.ifPresent(problem -> json.putArray("problems").add(problem));
    return new DataInspection(sound, json, text.toString());
  }

  private static boolean areReadable(DataReport report) {
    return report.classCounts().stream().noneMatch(c -> c.label().indexOf(REPLACEMENT) >= 0);
  }

  /**
   * With what became of the files since a version of a card was registered.
   *
   * @param changed which files are others; empty where nobody can tell
   */
  DataInspection with(long version, Optional<List<String>> changed) {
    ObjectNode files = json.putObject("files").put("version", version);
    files.put(
        "state",
        changed.map(names -> names.isEmpty() ? "as registered" : "changed").orElse("unknown"));
    changed.ifPresent(names -> names.forEach(files.putArray("changed")::add));
    String line =
        changed
            .map(
                names ->
                    names.isEmpty()
                        ? "The files are those of version %d.".formatted(version)
                        : "Changed since version %d: %s. 'mutune data update' registers them."
                            .formatted(version, String.join(", ", names)))
            .orElse(
                "Whether the files are those of version %d is not known here: seals and their key tell it."
                    .formatted(version));
    return new DataInspection(sound, json, text + line + "\n");
  }

  private static ObjectNode json(DataReport report, OptionalLong stated, List<String> problems) {
    ObjectNode json = Json.object();
    json.put("rows", report.rows()).put("columns", report.columns());
    ArrayNode classes = json.putArray("classes");
    report
        .classCounts()
        .forEach(c -> classes.addObject().put("label", c.label()).put("rows", c.rows()));
    json.put("unfitRows", report.unfitRows());
    json.put("zeroRows", report.zeroRows()).put("clampedValues", report.clampedValues());
    stated.ifPresent(rows -> json.put("suits", report.compareWith(rows)));
    TableReport columns = report.table();
    if (columns != null) {
      report.findings().forEach(json.putArray("table")::add);
      columns.places().forEach(json.putArray("places")::add);
    }
    problems.forEach(json.putArray("problems")::add);
    return json;
  }

  private static String text(DataReport report, OptionalLong stated, List<String> problems) {
    StringBuilder text = new StringBuilder();
    text.append(report.rows()).append(" rows of ").append(report.columns()).append(" numbers\n");
    if (!report.classCounts().isEmpty()) {
      text.append(
          DataTable.of(
              List.of("class", "rows"),
              report.classCounts(),
              c -> DataTable.row(c.label(), Long.toString(c.rows()))));
    }
    stated.ifPresent(
        rows -> report.comparison(rows).forEach(line -> text.append(line).append('\n')));
    if (stated.isEmpty() && !report.broken()) {
      report.findings().forEach(line -> text.append(line).append('\n'));
    }
    TableReport columns = report.table();
    if (columns != null) {
      columns.places().forEach(place -> text.append("at ").append(place).append('\n'));
    }
    problems.forEach(problem -> text.append("PROBLEM: ").append(problem).append('\n'));
    return text.toString();
  }
}
