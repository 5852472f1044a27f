package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ArrayNode;
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

  /** What a page's script draws; {@link Page} writes it. */
  private static final Pattern DRAWN =
      Pattern.compile(
          "(<script type=\"application/json\" id=\"data\">)(.*?)(</script>)", Pattern.DOTALL);

  private static final String OWN = "attack-";

  private AttackPage() {}

  /** The page: one file that opens offline. */
  public static String html(AttackDocument attack) {
    List<Chart> charts = AttackCharts.of(attack, "");
    Map<String, Object> page = values(attack);
    page.put("figures", Page.figures(charts));
    return Page.html("attack.mustache", page, charts);
  }

  /**
   * The charts as SVG, for papers.
   *
   * @param folder made if there is something to draw
   */
  public static void writeFigures(AttackDocument attack, Path folder) throws IOException {
    Figures.write(AttackCharts.of(attack, ""), folder);
  }

  /**
   * Puts the attack into the page of the study that it was made on, in place of an earlier one.
   *
   * @param report {@code report.html}
   * @throws IOException if it is no such page
   */
  public static void putInto(Path report, AttackDocument attack) throws IOException {
    String page = SECTION.matcher(Files.readString(report)).replaceAll("");
    int at = page.indexOf(BEFORE);
    if (at < 0) {
      throw new IOException(report + ": is not the page of a study");
    }
    List<Chart> charts = AttackCharts.of(attack, OWN);
    Map<String, Object> values = values(attack);
    values.put("figures", Page.figures(charts));
    String section =
        BEGIN + "\n" + Page.html("attack-section.mustache", values, List.of()) + END + "\n";
    Files.writeString(
        report, drawing(page.substring(0, at) + section + page.substring(at), charts));
  }

  /** The page with these beside the charts of its own. */
  private static String drawing(String page, List<Chart> charts) {
    Matcher drawn = DRAWN.matcher(page);
    if (!drawn.find()) {
      return page; // a page without charts has no script to draw with; tables say it all
    }
    ObjectNode data = Json.read(drawn.group(2));
    ArrayNode list = data.withArray("charts");
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).path("id").asString("").startsWith(OWN)) {
        list.remove(i);
      }
    }
    charts.forEach(chart -> list.add(chart.json()));
    return page.substring(0, drawn.start(2))
        + Page.inert(Json.write(data))
        + page.substring(drawn.end(2));
  }

  private static Map<String, Object> values(AttackDocument attack) {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("subject", attack.subject());
    page.put("refuted", attack.refuted());
    page.put("lines", attack.lines());
    page.put("numbers", Page.table(attack.table()));
    return page;
  }
}
