package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweep over HTTP names files of the open folders, or none. */
class DataFoldersTest {
  @TempDir private Path folder;

  private Path open;
  private Path closed;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    open = Files.createDirectories(folder.resolve("open/data"));
    closed = Files.createDirectories(folder.resolve("closed"));
    Path digits = TestServer.ROOT.resolve("sweeps/data/digits.csv.gz");
    Files.copy(digits, open.resolve("digits.csv.gz"));
    Files.copy(digits, closed.resolve("digits.csv.gz"));
    server = TestServer.with(folder.resolve("server"), folder.resolve("open"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String sweep(String path) throws IOException {
    return TestServer.sweep(5)
        .replaceFirst("path: data/digits.csv.gz", Matcher.quoteReplacement("path: " + path));
  }

  private void assertRefused(String sweep, String key) throws IOException {
    int before = server.store.studies().size();
    for (String path : List.of("/api/v1/plans", "/api/v1/studies")) {
      HttpResponse<String> answer = server.post(path, server.submit, "application/yaml", sweep);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      assertThat(Json.read(answer.body()).path("problems").path(0).path("text").asString())
          .isEqualTo(key + ": names a file outside the folders that are open here");
    }
    assertThat(server.store.studies()).hasSize(before);
  }

  @Test
  void filesWithin_areTaken() throws IOException {
    assertThat(server.submit(TestServer.sweep(5)).statusCode()).isEqualTo(201);
    String absolute = sweep(open.resolve("digits.csv.gz").toString());
    assertThat(server.submit(absolute).statusCode()).isEqualTo(201);
  }

  @Test
  void lineBreaksOfPrivateRows_areForTheirHolder() throws IOException {
    String broken =
        TestServer.sweep(5).replace("    label: last\n", "    label: last\n    lineBreaks: true\n");
    assertThat(server.submit(broken).statusCode()).isEqualTo(201);
    HttpResponse<String> answer =
        server.submit(broken.replaceFirst("    declared: public.*\n", ""));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("lineBreaks");
  }

  @Test
  void filesOutside_areRefusedInTheSameWordsWhetherTheyAreThereOrNot() throws IOException {
    for (String path :
        List.of(
            closed.resolve("digits.csv.gz").toString(),
            closed.resolve("none.csv.gz").toString(),
            "../closed/digits.csv.gz",
            "data/../../closed/digits.csv.gz",
            folder.resolve("open-not/digits.csv.gz").toString(),
            "/etc/passwd",
            "/etc/none")) {
      assertRefused(sweep(path), "data.private");
    }
  }

  @Test
  void linksThatLeadOutside_areSeenThrough() throws IOException {
    Files.createSymbolicLink(open.resolve("file.csv.gz"), closed.resolve("digits.csv.gz"));
    Files.createSymbolicLink(open.resolve("folder"), closed);
    Files.createSymbolicLink(open.resolve("nowhere.csv.gz"), closed.resolve("none"));
    Files.createSymbolicLink(open.resolve("loop.csv.gz"), open.resolve("loop.csv.gz"));
    for (String path :
        List.of(
            "file.csv.gz",
            "folder/digits.csv.gz",
            "folder/none",
            "nowhere.csv.gz",
            "loop.csv.gz")) {
      assertRefused(sweep("data/" + path), "data.private");
    }
    Files.createSymbolicLink(open.resolve("inside.csv.gz"), open.resolve("digits.csv.gz"));
    assertThat(
            server
                .post(
                    "/api/v1/plans", server.submit, "application/yaml", sweep("data/inside.csv.gz"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void everyOtherKeyWithAFile_isLookedAtToo() throws IOException {
    String outside = closed.resolve("x").toString();
    String sweep = TestServer.sweep(5);
    assertRefused(
        sweep.replaceFirst("(test:[^\\n]*\\n {4}path: )data/digits.csv.gz", "$1" + outside),
        "data.test");
    assertRefused(sweep.replace("train:\n", "train:\n  start: " + outside + "\n"), "train.start");
    assertRefused(
        sweep.replace("features:\n", "  cache: " + outside + "\nfeatures:\n"), "data.cache");
    assertRefused(sweep + "output: {directory: " + outside + "}\n", "output.directory");
    assertRefused(sweep + "output: {perInstance: " + outside + "}\n", "output.perInstance");
  }

  @Test
  void variablesOfTheEnvironment_areNotThereUnlessTheyWereNamed() throws IOException {
    HttpResponse<String> answer = server.submit(sweep("${HOME}/x.csv"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("needs the environment variable HOME, which is not set")
        .doesNotContain(System.getenv().getOrDefault("HOME", "/root") + "/");
  }

  @Test
  void aFileThatIsMissingWithin_isNamedWithoutItsPlaceOnTheMachine() throws IOException {
    HttpResponse<String> answer = server.submit(sweep("data/none.csv.gz"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("data/none.csv.gz: there is no such file")
        .doesNotContain(folder.toString());
  }

  @Test
  void whatIsWrongWithAPrivateFilesForm_isSaidToNobody() throws IOException {
    byte[] cutOff = {0x1f, (byte) 0x8b, 8, 0};
    Files.write(open.resolve("broken.csv"), cutOff);
    String sweep = sweep("data/broken.csv").replaceFirst("range: \\{first: 1, last: 1300}", "");
    HttpResponse<String> answer = server.submit(sweep);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    String study = Json.read(answer.body()).path("study").asString();
    server.untilState(study, "failed");

    assertThat(String.join("\n", server.said))
        .contains("study " + study + " fails")
        .doesNotContain("broken.csv", "gzip");
    for (String path : List.of("", "/statement", "/ledger", "/result", "/budget")) {
      String shown = server.get("/api/v1/studies/" + study + path, server.read).body();
      assertThat(shown)
          .as(path)
          .doesNotContain("gzip")
          .doesNotContain("broken.csv:")
          .doesNotContainPattern("column [0-9]")
          .doesNotContain(folder.toString());
    }
    assertThat(server.get("/api/v1/studies", server.read).body())
        .contains("failed")
        .doesNotContainPattern("column [0-9]");
    assertThat(server.store.study(study).orElseThrow().reason().orElseThrow())
        .doesNotContain("broken.csv:");
  }
}
