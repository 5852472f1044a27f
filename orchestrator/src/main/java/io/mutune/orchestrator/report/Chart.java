package io.mutune.orchestrator.report;

import tools.jackson.databind.node.ObjectNode;

/**
 * One chart with its table.
 *
 * @param id of letters and dashes; names its figure files
 * @param summary what a reader should take from it, in words
 */
record Chart(String id, String title, String summary, Plot plot, DataTable table) {
  /** For the page's script. */
  ObjectNode json() {
    ObjectNode json = Json.object().put("id", id).put("kind", plot.kind());
    json.put("title", title).put("summary", summary);
    json.set("plot", Json.tree(plot));
    return json;
  }
}
