package io.mutune.orchestrator.document;

import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.score.TestMetrics;
import tools.jackson.databind.node.ObjectNode;

/** What a model is worth on labelled rows of anybody's, outside any study. */
public final class PredictionMetrics {
  private PredictionMetrics() {}

  /**
   * Sentences, then figures by group where rows have some, by class and the confusion matrix where
   * labels are classes.
   */
  public static String text(TestMetrics metrics, Labelling labelling) {
    TestDocument document = TestDocument.of(metrics, labelling);
    StringBuilder text = new StringBuilder();
    document.sentences("rows").forEach(line -> text.append(line).append('\n'));
    document.groups().ifPresent(groups -> text.append('\n').append(groups.table()));
    document.classTable().ifPresent(table -> text.append('\n').append(table));
    document.confusionTable().ifPresent(table -> text.append('\n').append(table));
    return text.toString();
  }

  /** The figures of {@code test} in {@code result.json}. */
  public static String json(TestMetrics metrics, Labelling labelling) {
    ObjectNode json = Json.document();
    json.setAll(Json.tree(TestDocument.of(metrics, labelling)));
    return Json.write(json);
  }
}
