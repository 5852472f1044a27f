package io.mutune.orchestrator.figure;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import java.util.Locale;
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
    json.set("plot", drawn(Json.tree(plot)));
    return json;
  }

  /**
   * With its fractions to four digits: as fine as a drawing is, and too few to be taken for any
   * other number that is written out. Costs stand in the table, rounded up.
   */
  private static JsonNode drawn(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().forEach(entry -> entry.setValue(drawn(entry.getValue())));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, drawn(array.get(i)));
      }
    } else if (node.isDouble()) {
      return DoubleNode.valueOf(
          Double.parseDouble(String.format(Locale.ROOT, "%.3e", node.asDouble())));
    }
    return node;
  }
}
