package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.StudyResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A study's documents as bytes, for those who compare studies: without what differs between two of
 * the same sweep anyway, its id and the seconds that it took.
 */
public final class ReleasedDocuments {
  private ReleasedDocuments() {}

  public static Map<String, byte[]> of(StudyResult timed) {
    StudyResult result =
        new StudyResult(
            timed.study(),
            timed.trials(),
            timed.decision(),
            timed.finalCharge(),
            timed.finalLostSteps(),
            timed.model(),
            timed.testAccuracy(),
            timed.statement(),
            Double.NaN,
            timed.features());
    Map<String, String> texts = new TreeMap<>();
    texts.put("plan.json", Json.write(PlanDocument.json(result.study().plan())));
    texts.put("statement.json", Json.write(StatementDocument.json(result.statement())));
    texts.put("statement.txt", StatementDocument.text(result.statement()));
    texts.put("result.json", Json.write(ResultDocument.json(result)));
    texts.put("trials.csv", ResultDocument.csv(result));
    texts.put("report.html", ReportPage.html(result));
    Map<String, byte[]> documents = new TreeMap<>();
    String id = result.study().id();
    texts.forEach(
        (name, text) ->
            documents.put(name, text.replace(id, "id").getBytes(StandardCharsets.UTF_8)));
    double[] weights = result.model().weights();
    ByteBuffer bytes = ByteBuffer.allocate(weights.length * Double.BYTES);
    bytes.asDoubleBuffer().put(weights);
    documents.put("model.npz", bytes.array());
    return documents;
  }
}
