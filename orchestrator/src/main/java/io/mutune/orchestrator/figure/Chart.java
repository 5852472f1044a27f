package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One chart with its table.
 *
 * @param id of letters and dashes; names its figure files
 * @param summary what a reader should take from it, in words
 */
public record Chart(String id, String title, String summary, Plot plot, DataTable table) {
  /** For the page's script. */
  public ObjectNode json() {
    ObjectNode json = Json.object().put("id", id).put("kind", plot.kind());
    json.put("title", title).put("summary", summary);
    JsonNode tree = Json.tree(plot);
    json.set("plot", drawn(tree, "", tree));
    return json;
  }

  /**
   * With its fractions to four digits: as fine as a drawing is, and too few to be taken for any
   * other number that is written out. Along an axis of costs they are rounded up, since the page
   * says them where it is pointed at.
   */
  private static JsonNode drawn(JsonNode node, String name, JsonNode plot) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(entry -> entry.setValue(drawn(entry.getValue(), entry.getKey(), plot)));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, drawn(array.get(i), name, plot));
      }
    } else if (node.isDouble()) {
      RoundingMode mode =
          plot.path(name).path("cost").asBoolean(false)
              ? RoundingMode.CEILING
              : RoundingMode.HALF_UP;
      return DoubleNode.valueOf(
          BigDecimal.valueOf(node.asDouble()).round(new MathContext(4, mode)).doubleValue());
    }
    return node;
  }
}
