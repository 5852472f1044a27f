package io.mutune.orchestrator.paired;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.paired.PairedRow.Fault;
import io.mutune.orchestrator.server.TestServer;
import io.mutune.orchestrator.store.StudyState;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What a server answers about studies on neighbours, by every route that it has. */
@Timeout(300)
class PairedAnswersTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", ".."));
  private static final PairedSweep SWEEP = PairedSweep.strategies().get(0);
  private static final List<PairedRow> ROWS = PairedRow.rows(60, 1);

  /** Of the clock, and of the body, which is compared and may say how long a study took. */
  private static final Set<String> OTHER_HEADERS = Set.of("date", "content-length");

  /** Metrics of how long answers took. */
  private static final Pattern REQUESTS = Pattern.compile("(?m)^.*http_server_requests.*\n?");

  @TempDir Path folder;

  @Test
  void rowsThatAddNothing_changeNoByteOfAnyAnswer() throws Exception {
    List<PairedRow> more = new ArrayList<>();
    PairedForm.CSV.faults().forEach(fault -> more.add(PairedRow.malformed(fault)));
    more.add(PairedRow.zero());
    List<PairedRow> with = PairedRow.among(ROWS, more);

    Seen none = answers(ROWS, rows -> 0);

    assertThat(none.part("GET /api/v1/studies/{id}")).contains("\"state\" : \"finished\"");
    assertThat(none.differences(answers(with, rows -> 0))).isEmpty();
  }

  @Test
  void aRealRow_changesNumbersAlone() throws Exception {
    List<PairedRow> with = new ArrayList<>(ROWS);
    with.add(PairedRow.real());

    assertThat(answers(ROWS, rows -> 0).differencesOfShape(answers(with, rows -> 0))).isEmpty();
  }

  /** A header that tells a row, and an answer that follows from a count. */
  @Test
  void anAnswerThatTellsACount_isFound() throws Exception {
    List<PairedRow> with = PairedRow.among(ROWS, List.of(PairedRow.malformed(Fault.TEXT)));
    ToIntFunction<List<PairedRow>> counted = rows -> rows.size() - 59;

    assertThat(answers(ROWS, counted).differences(answers(ROWS, counted))).isEmpty();
    assertThat(answers(ROWS, counted).differences(answers(with, counted)))
        .anyMatch(difference -> difference.startsWith("GET /api/v1/studies:"));
  }

  /**
   * @param told how many spaces follow each answer: none, but for a leak that is planted
   */
  private Seen answers(List<PairedRow> rows, ToIntFunction<List<PairedRow>> told) throws Exception {
    Path runs = folder.resolve("server");
    PairedStudy.deleteTree(runs);
    Path data = Files.createDirectories(folder.resolve("data"));
    SWEEP.write(data, PairedForm.CSV, true);
    PairedForm.CSV.write(data, rows);
    Map<String, String> answers = new TreeMap<>();
    try (TestServer server = TestServer.with(runs, data)) {
      HttpResponse<String> submitted = server.submit(SWEEP.text(PairedForm.CSV, true));
      assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(201);
      String id = Json.read(submitted.body()).path("study").asString();
      awaitEnd(server, id);
      answers.put("POST /api/v1/studies", shown(submitted));
      for (String route : routes()) {
        String set = server.store.dataSets().get(0).name();
        String path =
            route
                .replace("{id}", id)
                .replace("/data-sets/{name}", "/data-sets/" + set)
                .replace("/accounts/{name}", "/accounts/" + server.store.accounts().get(0).name())
                .replace("{name}", "dashboard.js");
        HttpResponse<String> answer = server.get(path, server.read);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        answers.put("GET " + route, shown(answer) + " ".repeat(told.applyAsInt(rows)));
      }
    }
    Seen seen = Seen.in(runs.resolve("runs"));
    answers.forEach(seen::put);
    return seen;
  }

  /** Not by asking over HTTP, which would count. */
  private static void awaitEnd(TestServer server, String id) throws InterruptedException {
    Set<StudyState> under = EnumSet.of(StudyState.PLANNED, StudyState.RUNNING);
    Instant end = Instant.now().plus(Duration.ofSeconds(300));
    while (under.contains(server.store.study(id).orElseThrow().state())) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(20);
    }
  }

  /** Everything that is answered to GET, by its description. */
  private static List<String> routes() throws Exception {
    String text = Files.readString(ROOT.resolve("docs/openapi.yaml"));
    Map<?, ?> description =
        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    List<String> routes = new ArrayList<>();
    ((Map<?, ?>) description.get("paths"))
        .forEach(
            (path, methods) -> {
              // Tokens are drawn anew for each server.
              if (((Map<?, ?>) methods).containsKey("get") && !path.toString().contains("tokens")) {
                routes.add(path.toString());
              }
            });
    assertThat(routes).hasSizeGreaterThan(12);
    return routes;
  }

  private static String shown(HttpResponse<String> answer) {
    StringBuilder text = new StringBuilder().append(answer.statusCode()).append('\n');
    new TreeMap<>(answer.headers().map())
        .forEach(
            (name, values) -> {
              if (!OTHER_HEADERS.contains(name)) {
                text.append(name).append(": ").append(values).append('\n');
              }
            });
    return text + REQUESTS.matcher(answer.body()).replaceAll("");
  }
}
