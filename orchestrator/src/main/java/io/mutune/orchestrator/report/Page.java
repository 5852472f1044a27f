package io.mutune.orchestrator.report;

import com.samskivert.mustache.Mustache;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.trainer.file.Resource;
import java.io.StringReader;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page that is whole by itself: its styles, its charting library (Apache ECharts) and its data
 * stand in it, and its content security policy lets nothing else load or run.
 */
final class Page {
  private static final String LIBRARY = "echarts.min.js";
  private static final String SCRIPT = "charts.js";

  private Page() {}

  /**
   * Fills a template.
   *
   * @param template the resource's name
   * @param values escaped wherever the template puts them
   * @param charts what the page's script draws, in the template's order
   */
  static String html(String template, Map<String, Object> values, List<Chart> charts) {
    Map<String, Object> page = new LinkedHashMap<>(values);
    page.put("style", resource("page.css"));
    page.put("hasCharts", !charts.isEmpty());
    page.put("scripts", charts.isEmpty() ? "" : scripts(charts));
    page.put("policy", policy(charts.isEmpty()));
    return Mustache.compiler()
        .emptyStringIsFalse(true)
        .withLoader(name -> new StringReader(resource(name + ".mustache")))
        .compile(resource(template))
        .execute(page);
  }

  /** What a template shows of a chart. */
  static List<Map<String, Object>> figures(List<Chart> charts) {
    return charts.stream()
        .map(
            chart ->
                Map.<String, Object>of(
                    "chart",
                    chart.id(),
                    "title",
                    chart.title(),
                    "summary",
                    chart.summary(),
                    "table",
                    table(chart.table())))
        .toList();
  }

  /** What a template leaves out where there is no such value. */
  static Object orNothing(Optional<?> value) {
    return value.isPresent() ? value.get() : false;
  }

  static Map<String, Object> table(DataTable table) {
    return Map.of("head", table.head(), "rows", table.rows());
  }

  private static String scripts(List<Chart> charts) {
    ObjectNode data = Json.object();
    ArrayNode list = data.putArray("charts");
    charts.forEach(chart -> list.add(chart.json()));
    return "<script type=\"application/json\" id=\"data\">"
        + inert(Json.write(data))
        + "</script>\n<script>"
        + resource(LIBRARY)
        + "</script>\n<script>"
        + resource(SCRIPT)
        + "</script>";
  }

  /** JSON that neither ends a script nor a line of one, whatever its strings say. */
  static String inert(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** Styles may stand inline, since charts write them; scripts run by their digest alone. */
  private static String policy(boolean withoutScripts) {
    String scripts =
        withoutScripts ? "'none'" : digest(resource(LIBRARY)) + " " + digest(resource(SCRIPT));
    return "default-src 'none'; script-src "
        + scripts
        + "; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  }

  private static String digest(String script) {
    return "'sha256-" + Base64.getEncoder().encodeToString(DigestUtils.sha256(script)) + "'";
  }

  private static String resource(String name) {
    return Resource.text(Page.class, name);
  }
}
