package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A token that may submit does not read an account's rows without a charge. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnedFilesApiTest {
  private Path data;
  private TestServer server;

  private static final String OWNER =
      """
      version: 1
      name: owner
      data:
        private: {path: own.csv, format: csv, label: last, classes: 2, features: 2, rows: 40}
        test: {path: other.csv}
        cache: %s
      features: [{type: l2-normalize}]
      budget: {epsilon: 2, delta: 1.0e-5, account: rows}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
      train: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
      """;

  private static final String STRANGER =
      """
      version: 1
      name: stranger
      data:
        private: {path: other.csv, format: csv, label: last, classes: 2, features: 2, rows: 40}
        test: {path: more.csv}
      features: [{type: l2-normalize}]
      budget: {epsilon: 2, delta: 1.0e-5}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
      train: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
      """;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    data = Files.createDirectory(folder.resolve("data")).toRealPath();
    for (String name : new String[] {"own", "other", "more"}) {
      Files.writeString(
          data.resolve(name + ".csv"),
          IntStream.range(0, 40)
              .mapToObj(row -> "0.%d,%d,%d\n".formatted(row + 10, name.length(), row % 2))
              .collect(Collectors.joining()));
    }
    server = TestServer.with(folder, data);
    server.post(
        "/api/v1/accounts", server.admin, "application/json", "{\"name\": \"rows\", \"mu\": 9}");
    HttpResponse<String> owner = server.submit(OWNER.formatted(data.resolve("kept")));
    assertThat(owner.statusCode()).as(owner.body()).isEqualTo(201);
    server.untilState(Json.read(owner.body()).path("study").asString(), "finished");
    Files.createLink(data.resolve("same.csv"), data.resolve("own.csv"));
    Files.createSymbolicLink(data.resolve("link.csv"), data.resolve("own.csv"));
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  private String onlyPublic(String part) {
    return STRANGER
        .replaceAll("  test: .*", "  public: {" + part + "}")
        .replaceAll("(?m)^search: .*", "search: {strategy: fixed}")
        .replaceAll("(?m)^train: .*", "train: {method: only-public, loss: softmax}");
  }

  private String sweep(String role) throws IOException {
    return switch (role) {
      case "public" -> onlyPublic("path: own.csv");
      case "test" -> STRANGER.replace("more.csv}", "own.csv, range: {first: 1, last: 1}}");
      case "validation" -> STRANGER.replace("  test:", "  validation: {path: own.csv}\n  test:");
      case "start" -> STRANGER.replace("clipNorm: 0.5", "clipNorm: 0.5, start: own.csv");
      case "declared" -> STRANGER.replace("other.csv,", "own.csv, declared: public,");
      case "hard link" -> onlyPublic("path: same.csv");
      case "symbolic link" -> onlyPublic("path: link.csv");
      case "cache" -> {
        try (var tree = Files.walk(data.resolve("kept"))) {
          Path features =
              tree.filter(file -> file.toString().endsWith(".features.npy"))
                  .findFirst()
                  .orElseThrow();
          yield onlyPublic(
              "format: npy, path: %s, labels: %s"
                  .formatted(features, features.toString().replace(".features.", ".labels.")));
        }
      }
      default -> throw new IllegalArgumentException(role);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public",
        "test",
        "validation",
        "start",
        "declared",
        "hard link",
        "symbolic link",
        "cache"
      })
  void anAccountsRows_areNotReadInAnyOtherRole(String role) throws IOException {
    for (String account : new String[] {"", ", account: rows"}) {
      if (role.equals("declared") && !account.isEmpty()) {
        continue; // Such rows have no account.
      }
      HttpResponse<String> answer =
          server.submit(sweep(role).replace("1.0e-5", "1.0e-5" + account));
      assertThat(answer.statusCode()).as(role + answer.body()).isEqualTo(409);
      assertThat(answer.body()).contains("a data set account").doesNotContain(data.toString());
    }
    assertThat(server.submit(STRANGER).statusCode()).isEqualTo(201);
  }

  /** The folders that are open are nobody's to know but the operator's. */
  @ParameterizedTest
  @ValueSource(strings = {"\"\"", ".", "../data", "./"})
  void aPathThatIsTheFolderItself_showsNoPlaceOnThisMachine(String path) throws IOException {
    HttpResponse<String> answer = server.submit(STRANGER.replace("more.csv", path));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).doesNotContain(data.toString());
  }

  @Test
  void anEmptyPath_isAMistakeOfTheSweep() throws IOException {
    assertThat(server.submit(STRANGER.replace("more.csv", "\"\"")).body())
        .contains("data.test.path", "must name a file");
  }
}
