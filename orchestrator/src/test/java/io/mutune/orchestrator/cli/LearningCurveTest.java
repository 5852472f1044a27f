package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How the final run learns, by its released iterates, on public test rows. */
class LearningCurveTest {
  @TempDir Path folder;

  /**
   * Before it begins, a worker that was taken for dead notes a point of it, which is then there.
   */
  @Test
  void aFinalRun_showsItsIterates_eachOnce_andEndsAtTheTestFigure() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .steps(40)
            .trials(0)
            .seed(1)
            .train("{method: noisy-gd, loss: softmax, momentum: 0.9, freeStep: off}");
    Path file = Path.of(sweep.command("run")[1]);
    // So much noise that the iterates differ in what they say of 100 rows; by another seed a study
    // in sixty says one class from its first iterate to its last.
    String text = Files.readString(file).replace("epsilon: 2,", "epsilon: 0.02,");
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read(file.toString(), text, context));
    try (StudyStore store = Stores.open(sweep.runs().resolve(StoreOption.FILE))) {
      Study study = Study.create(plan, text, context, sweep.runs());
      study.enter(store);
      Map<String, String> point = Map.of("step", "6", "score", "0.125");
      store.note(study.id(), new StudyNote(StudyNote.Kind.CURVE, point));
    }
    CommandRun run = CommandRun.of("resume", "--output", sweep.runs().toString()).succeeded();
    JsonNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    JsonNode curve = result.path("learningCurve");
    assertThat(curve.path("steps").valueStream().map(JsonNode::asInt))
        .containsExactly(3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40);
    List<Double> scores = curve.path("scores").valueStream().map(JsonNode::asDouble).toList();
    assertThat(scores).hasSize(14);
    assertThat(scores.get(1)).isEqualTo(0.125);
    assertThat(scores.get(13)).isEqualTo(result.path("testAccuracy").asDouble());
    assertThat(Set.copyOf(scores)).as("it is no constant").hasSizeGreaterThan(2);
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains("Learning curve", "test accuracy");
    CommandRun.of(sweep.command("audit")).succeeded();
  }
}
