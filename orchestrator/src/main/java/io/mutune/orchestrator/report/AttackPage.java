package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.Plot.Dot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code attack.html}, its figures, and the section of a study's page, from {@code attack.json}.
 */
public final class AttackPage {
  private static final String BEGIN = "<!-- attack -->";
  private static final String END = "<!-- end of attack -->";
  private static final String BEFORE = "<h2>What was released</h2>";
  private static final Pattern SECTION =
      Pattern.compile(Pattern.quote(BEGIN) + ".*" + Pattern.quote(END) + "\n", Pattern.DOTALL);

  private AttackPage() {}

  /** The page: one file that opens offline. */
  public static String html(ObjectNode attack) {
    List<Chart> charts = charts(attack);
    Map<String, Object> page = values(attack);
    page.put("figures", Page.figures(charts));
    return Page.html("attack.mustache", page, charts);
  }

  /**
   * The curves as SVG, for papers.
   *
   * @param folder made if there is something to draw
   */
  public static void writeFigures(ObjectNode attack, Path folder) throws IOException {
    Figures.write(charts(attack), folder);
  }

  /**
   * Puts the attack into the page of the study that it was made on, in place of an earlier one.
   *
   * @param report {@code report.html}
   * @throws IOException if it is no such page
   */
  public static void putInto(Path report, ObjectNode attack) throws IOException {
    String page = SECTION.matcher(Files.readString(report)).replaceAll("");
    int at = page.indexOf(BEFORE);
    if (at < 0) {
      throw new IOException(report + ": is not the page of a study");
    }
    String section =
        BEGIN + "\n" + Page.html("attack-section.mustache", values(attack), List.of()) + END + "\n";
    Files.writeString(report, page.substring(0, at) + section + page.substring(at));
  }

  private static Map<String, Object> values(ObjectNode attack) {
    Map<String, Object> page = new LinkedHashMap<>();
    for (String key : List.of("attack", "name", "notice", "method", "strategy", "rows", "seed")) {
      page.put(key, attack.path(key).asString(""));
    }
    page.put("refuted", attack.path("refutes").asBoolean(false));
    page.put("lines", AttackDocument.lines(attack));
    page.put("numbers", Page.table(AttackDocument.table(attack)));
    return page;
  }

  private static List<Chart> charts(JsonNode attack) {
    List<Plot.Series> series = new ArrayList<>();
    Mark[] marks = {Mark.SOLID, Mark.DASHED};
    for (JsonNode curve : attack.path("curves")) {
      List<Dot> dots = new ArrayList<>();
      curve
          .path("points")
          .forEach(p -> dots.add(Dot.at(p.path(0).asDouble(), p.path(1).asDouble())));
      series.add(new Plot.Series(curve.path("name").asString(""), marks[series.size() % 2], dots));
    }
    if (series.isEmpty()) {
      return List.of();
    }
    series.add(new Plot.Series("guessing", Mark.DOTTED, List.of(Dot.at(0, 0), Dot.at(1, 1))));
    return List.of(
        new Chart(
            "roc",
            "Telling who took part",
            "True positives against false ones at every threshold; the dotted line is guessing.",
            new Plot.Xy(
                Axis.upTo("false positives", 1).inPercent(),
                Axis.upTo("true positives", 1).inPercent(),
                series),
            AttackDocument.table(attack)));
  }
}
