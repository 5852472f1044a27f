package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a finished study has released, in a few figures, from the documents in its folder.
 *
 * @param accuracy on its test rows
 * @param error the mean absolute error there, where the labels are numbers
 * @param noisy whether these test rows are private
 * @param guarantee whether the ε is one
 * @param seconds that it ran; empty where that is not told
 */
public record FinishedStudyFigures(
    String strategy,
    String method,
    OptionalDouble accuracy,
    OptionalDouble error,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean noisy,
    double epsilonSpent,
    @JsonUnwrapped GuaranteeNote guarantee,
    OptionalDouble seconds) {
  /** Nothing of a study that has not finished, or whose documents are no longer there. */
  public static Optional<FinishedStudyFigures> of(StudyRecord study) {
    return study.state() == StudyState.FINISHED ? read(study.output()) : Optional.empty();
  }

  private static Optional<FinishedStudyFigures> read(Path folder) {
    try {
      ObjectNode result = Json.read(Files.readString(folder.resolve(ResultDocument.FILE)));
      StatementDocument statement = StatementDocument.in(folder);
      return Optional.of(
          new FinishedStudyFigures(
              result.path("strategy").asString(""),
              result.path("method").asString(""),
              Json.number(result.path("testAccuracy")),
              Json.number(result.path("testError")),
              result.has("privateTest") || result.has("privateFigures"),
              statement.epsilon(),
              GuaranteeNote.of(statement),
              told(Json.number(result.path("seconds")))));
    } catch (IOException | JacksonException e) {
      return Optional.empty(); // whoever asks for the study itself hears that it is gone
    }
  }

  /** Of a study whose time is secret it is 0. */
  private static OptionalDouble told(OptionalDouble seconds) {
    return seconds.orElse(0) > 0 ? seconds : OptionalDouble.empty();
  }

  /** The ε, if it is a guarantee: no other can be compared with those that are. */
  public OptionalDouble guaranteed() {
    return guarantee.guarantee().isPresent()
        ? OptionalDouble.empty()
        : OptionalDouble.of(epsilonSpent);
  }

  /** How well it did, for people; empty where there were no test rows. */
  public String tested() {
    String figure =
        accuracy.isPresent()
            ? DisplayNumber.percent(accuracy.getAsDouble())
            : error.isPresent() ? "error " + DisplayNumber.value(error.getAsDouble()) : "";
    return figure.isEmpty() || !noisy ? figure : figure + ", noisy";
  }
}
