package io.mutune.orchestrator.report;

import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.model.TrainedModel;
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
    StudyResult result = timed.withoutTimes();
    StudyDocuments study = StudyDocuments.of(result);
    Map<String, String> texts =
        StudyFolder.texts(result, study, StudyCharts.of(study, result.study().record().output()));
    Map<String, byte[]> documents = new TreeMap<>();
    String id = result.study().id();
    texts.forEach(
        (name, text) ->
            documents.put(name, text.replace(id, "id").getBytes(StandardCharsets.UTF_8)));
    documents.put("model.npz", bytes(result.model()));
    result
        .releases()
        .forEach(
            released ->
                documents.put(released.planned().folder() + "/model.npz", bytes(released.model())));
    return documents;
  }

  private static byte[] bytes(TrainedModel model) {
    double[] weights = model.weights();
    ByteBuffer bytes = ByteBuffer.allocate(weights.length * Double.BYTES);
    bytes.asDoubleBuffer().put(weights);
    return bytes.array();
  }
}
