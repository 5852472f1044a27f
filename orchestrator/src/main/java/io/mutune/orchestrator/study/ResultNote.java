package io.mutune.orchestrator.study;

import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.TrainedModel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.codec.digest.DigestUtils;

/** What a study released last, so that its ledger covers it. */
final class ResultNote {
  private static final String MODEL = "model";

  private ResultNote() {}

  static StudyNote of(
      Decision decision,
      TrainedModel model,
      List<ReleasedModel> releases,
      OptionalDouble testAccuracy) {
    Map<String, String> content = new LinkedHashMap<>();
    content.put("learningRate", Double.toString(decision.point().learningRate()));
    content.put("steps", Integer.toString(decision.point().steps()));
    decision
        .point()
        .sortedSettings()
        .forEach((setting, value) -> content.put(setting.toString(), value.toString()));
    decision.kept().ifPresent(trial -> content.put("kept", Integer.toString(trial)));
    decision.score().ifPresent(score -> content.put("score", Double.toString(score)));
    testAccuracy.ifPresent(value -> content.put("testAccuracy", Double.toString(value)));
    content.put(MODEL, digest(model));
    releases.forEach(
        release -> content.put(key(release.planned().name()), digest(release.model())));
    return new StudyNote(StudyNote.Kind.RESULT, content);
  }

  /**
   * Whether this is the model of that name that a study released.
   *
   * @param name on the ledger
   */
  static boolean isAbout(StudyNote note, String name, TrainedModel model) {
    return digest(model).equals(note.content().get(key(name)));
  }

  private static String key(String name) {
    return name.equals(Question.FINAL.name()) ? MODEL : MODEL + " of " + name;
  }

  /**
   * SHA-256 of a file's bytes, or of a linear model's shape and weights, float64, row-major, lowest
   * byte first.
   */
  private static String digest(TrainedModel model) {
    if (model instanceof ModelFile file) {
      return DigestUtils.sha256Hex(file.content());
    }
    double[] weights = model.weights();
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Integer.BYTES + weights.length * Double.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(model.features()).putInt(model.columns());
    bytes.asDoubleBuffer().put(weights);
    return DigestUtils.sha256Hex(bytes.array());
  }
}
