package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a study keeps of the processes that worked on it and of the files that they read. */
@Timeout(600)
class ProvenanceTest {
  @TempDir Path folder;
  private SmallSweep sweep;

  @BeforeEach
  void makeSweep() throws IOException {
    sweep = SmallSweep.in(folder).steps(5).trials(0);
  }

  private static JsonNode provenance(CommandRun run) throws IOException {
    return Json.read(Files.readString(run.folder().resolve("result.json"))).path("provenance");
  }

  private static JsonNode part(JsonNode provenance, String part) {
    return provenance
        .path("data")
        .valueStream()
        .filter(data -> data.path("part").asString().equals(part))
        .reduce(
            (a, b) -> {
              throw new AssertionError(part + " is there twice");
            })
        .orElseThrow();
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  @Test
  void aResult_saysWhatMadeIt_andItsReportAndStatusToo() throws Exception {
    CommandRun run = CommandRun.run(sweep).succeeded();
    JsonNode processes = provenance(run).path("processes");
    assertThat(processes).hasSize(1);
    JsonNode process = processes.get(0);
    assertThat(process.path("mutune").asString()).matches("[0-9]+\\.[0-9]+.*");
    assertThat(process.path("java").asString())
        .isEqualTo(System.getProperty("java.runtime.version"));
    assertThat(process.path("javaVendor").asString()).isEqualTo(System.getProperty("java.vendor"));
    assertThat(process.path("architecture").asString()).isEqualTo(System.getProperty("os.arch"));
    assertThat(process.path("engine").asString()).isEqualTo("kernel");
    assertThat(process.path("arithmetic").asString()).isEqualTo("Vector API");
    assertThat(process.path("vectorBits").asInt()).isGreaterThanOrEqualTo(64);
    assertThat(process.path("threads").asInt())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
    String java = System.getProperty("java.runtime.version").replace("+", "&#43;");
    assertThat(Files.readString(run.folder().resolve("report.html")).replace("+", "&#43;"))
        .contains("on Java " + java);
    CommandRun status = CommandRun.of(sweep.command("status")).succeeded();
    assertThat(status.out())
        .contains("run by: Mutune ", "engine kernel")
        .contains("read: data.test, sha-256 " + sha256(sweep.testRows()));
    String json = CommandRun.of(sweep.command("status", "--format", "json")).succeeded().out();
    assertThat(Json.read(json).path("provenance")).isEqualTo(provenance(run));
  }

  @Test
  void publicFiles_areNotedByTheirDigest_andPrivateOnesByNothingThatFollowsFromThemAlone()
      throws Exception {
    CommandRun first = CommandRun.run(sweep).succeeded();
    CommandRun second = CommandRun.run(sweep).succeeded();
    String digest = sha256(sweep.privateRows());
    List<String> seals = new ArrayList<>();
    for (CommandRun run : List.of(first, second)) {
      JsonNode test = part(provenance(run), "data.test");
      assertThat(test.path("kind").asString()).isEqualTo("sha-256");
      assertThat(test.path("files").get(0).asString()).isEqualTo(sha256(sweep.testRows()));
      JsonNode rows = part(provenance(run), "data.private");
      assertThat(rows.path("kind").asString()).isEqualTo("hmac-sha-256");
      assertThat(rows.path("nonce").asString()).hasSize(32);
      seals.add(rows.path("files").get(0).asString());
    }
    // Not even that both studies read the same file.
    assertThat(seals).doesNotHaveDuplicates().doesNotContain(digest);
    try (var files = Files.walk(sweep.runs())) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(digest);
      }
    }
  }

  @Test
  void publicRowsOfAFileThatHasOthersToo_areNotedByASeal() throws Exception {
    CommandRun run =
        runWith("test: {path: test.csv}", "test: {path: test.csv, range: {first: 1, last: 50}}");
    assertThat(part(provenance(run), "data.test").path("kind").asString())
        .isEqualTo("hmac-sha-256");
  }

  /** Whatever is made of the file is made of the private rows in it, and waits for their charge. */
  @Test
  void publicRowsOfAFileThatHasPrivateOnes_areNotedWithThose() throws Exception {
    CommandRun run =
        runWith(
            "test: {path: test.csv}",
            "test: {path: private.csv, range: {first: 301, last: 400}}",
            "rows: 400",
            "rows: 300, range: {first: 1, last: 300}");
    JsonNode data = provenance(run).path("data");
    assertThat(data.valueStream().map(d -> d.path("part").asString()))
        .containsExactly("data.private");
    assertThat(data.get(0).path("kind").asString()).isEqualTo("hmac-sha-256");
  }

  private CommandRun runWith(String... replacements) throws IOException {
    SmallSweep.writeRows(folder.resolve("validation.csv"), 100, 5, 3);
    sweep.command("run");
    Path file = folder.resolve("sweep.yaml");
    String text = Files.readString(file);
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(text).contains(replacements[i]);
      text = text.replace(replacements[i], replacements[i + 1]);
    }
    Files.writeString(file, text);
    return CommandRun.of("run", file.toString(), "--output", sweep.runs().toString()).succeeded();
  }

  @Test
  void theHolderOfTheFiles_canTellWhetherTheyChanged_andNobodyElseIsTold() throws Exception {
    CommandRun.run(sweep).succeeded();
    assertThat(CommandRun.of(sweep.command("audit")).succeeded().out())
        .doesNotContain("data.private: same");
    String same = CommandRun.of(sweep.command("audit", "--data")).succeeded().out();
    assertThat(same)
        .contains("What follows is private")
        .contains(", data.private: same", ", data.test: same");
    SmallSweep.writeRows(sweep.privateRows(), 399, 5, 1);
    Files.delete(sweep.testRows());
    String changed =
        CommandRun.of(sweep.command("audit", "--data", "--format", "json")).succeeded().out();
    JsonNode data = Json.read(changed).path("data");
    assertThat(
            data.valueStream().map(d -> d.path("part").asString() + " " + d.path("now").asString()))
        .containsExactlyInAnyOrder("data.private another", "data.test missing");
  }

  @Test
  void aStudyThatIsResumed_namesEachProcess() throws Exception {
    sweep.steps(5000);
    try (MutuneProcess process = MutuneProcess.start(sweep.command("run"));
        StoreView store = process.store(sweep)) {
      process.until(() -> store.held(() -> store.stepsBegun() > 10));
      process.signal("TERM");
      store.release();
      process.end().failedWith(ExitCode.INTERRUPTED);
    }
    CommandRun run = CommandRun.of(sweep.command("resume")).succeeded();
    JsonNode processes = provenance(run).path("processes");
    assertThat(processes).hasSize(2);
    assertThat(processes.get(0).path("at").asString())
        .isLessThan(processes.get(1).path("at").asString());
  }
}
