package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever chooses the classes and the range of a question learns no cell from how it ends. */
class UnfitRowsApiTest {
  private static final String CELL = "income-77";

  @TempDir Path folder;

  private static String sweep(String more, String guess) {
    return """
    version: 1
    name: asked
    data:
      private:
        {path: rows.csv, format: csv, label: 2, classes: [none, %s], rows: 100,
         range: {first: 2, last: 2}%s}
    budget: {epsilon: 0.1, delta: 1.0e-5}
    search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
    train: {method: noisy-gd, loss: softmax}
    """
        .formatted(guess, more);
  }

  /** All that an answer says, but for names, times and noise. */
  private static String seen(TestServer server, String guess) throws IOException {
    HttpResponse<String> answer = server.submit(sweep(", features: 2", guess));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    String study = Json.read(answer.body()).path("study").asString();
    var status = server.untilState(study, "finished");
    server.untilSaid("study " + study + " is finished");
    status.remove(List.of("study", "folder", "created", "changed", "started", "ended", "updated"));
    String said = String.join("\n", server.said).replace(study, "STUDY");
    server.said.clear();
    return (status.toPrettyString() + "\n" + said)
        .replace(study, "STUDY")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("\"seconds\" : [0-9.E-]+", "SECONDS");
  }

  @Test
  void aGuessThatIsRight_looksLikeOneThatIsNot() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("rows.csv"), "1,2,none\n3,4," + CELL + "\n5,6,none\n");
    try (TestServer server = TestServer.with(folder, data)) {
      String right = seen(server, CELL);
      assertThat(right).contains("finished");
      assertThat(seen(server, "income-78")).isEqualTo(right);
    }
  }
}
