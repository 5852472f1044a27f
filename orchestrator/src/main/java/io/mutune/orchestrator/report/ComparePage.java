package io.mutune.orchestrator.report;

import io.mutune.accountant.Delta;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code compare.html}, and its figures, from {@code compare.json} alone. */
public final class ComparePage {
  private ComparePage() {}

  /** The page: one file that opens offline. */
  public static String html(ObjectNode comparison) {
    List<Chart> charts = CompareCharts.of(comparison);
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("name", text(comparison, "name"));
    page.put("method", text(comparison, "method"));
    page.put("rows", text(comparison, "rows"));
    page.put("notice", text(comparison, "notice"));
    page.put("repeats", text(comparison, "repeats"));
    page.put("seed", text(comparison, "seed"));
    JsonNode budget = comparison.path("budget");
    page.put("epsilon", DisplayNumber.epsilon(budget.path("epsilon").asDouble()));
    page.put("delta", DisplayNumber.delta(Delta.of(budget.path("delta").asDouble())));
    page.put("adjacency", text(budget, "adjacency"));
    page.put("range", range(comparison.path("range")));
    page.put("oracle", oracle(comparison.path("oracle")));
    page.put("strategies", Page.table(table(comparison)));
    page.put("figures", Page.figures(charts));
    return Page.html("compare.mustache", page, charts);
  }

  /**
   * The same charts as SVG, for papers.
   *
   * @param folder made if need be
   * @throws IOException if a file cannot be written
   */
  public static void writeFigures(ObjectNode comparison, Path folder) throws IOException {
    Figures.write(CompareCharts.of(comparison), folder);
  }

  private static String text(JsonNode node, String key) {
    return node.path(key).asString("");
  }

  private static String range(JsonNode range) {
    return "%s: learning rate %s to %s, %s to %s steps"
        .formatted(
            text(range, "name"),
            DisplayNumber.value(range.path("learningRate").path("min").asDouble()),
            DisplayNumber.value(range.path("learningRate").path("max").asDouble()),
            text(range.path("steps"), "min"),
            text(range.path("steps"), "max"));
  }

  private static String oracle(JsonNode oracle) {
    OptionalDouble accuracy = CompareCharts.oracle(oracle);
    return "The best of "
        + text(oracle, "points")
        + " points, looked at "
        + (oracle.has("looks") ? text(oracle, "looks") + " times each " : "")
        + "without charging anything"
        + (accuracy.isPresent() ? ": " + DisplayNumber.percent(accuracy.getAsDouble()) : "")
        + ". No study can know it; it is there to measure by.";
  }

  private static DataTable table(JsonNode comparison) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (JsonNode one : comparison.path("strategies")) {
      JsonNode accuracy = one.path("accuracy");
      rows.add(
          DataTable.row(
              CompareCharts.name(one),
              DisplayNumber.percent(accuracy.path("mean").asDouble()),
              DisplayNumber.percent(accuracy.path("spread").asDouble()),
              DisplayNumber.percent(accuracy.path("least").asDouble()),
              CompareCharts.errorReduction(one),
              DisplayNumber.epsilon(one.path("epsilon").asDouble()),
              one.path("tuningShare").isNumber()
                  ? DisplayNumber.percent(one.path("tuningShare").asDouble())
                  : "",
              text(one, "trials"),
              DisplayNumber.value(one.path("trainedSteps").asDouble()),
              DisplayNumber.value(one.path("seconds").asDouble()),
              one.path("guards").properties().stream()
                  .map(guard -> guard.getKey() + " " + guard.getValue().asString())
                  .collect(Collectors.joining(", "))));
    }
    return new DataTable(
        List.of(
            "strategy",
            "mean",
            "spread",
            "least",
            "RERR",
            "ε",
            "tuning",
            "trials",
            "steps",
            "seconds",
            "guards"),
        rows);
  }
}
