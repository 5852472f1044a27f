package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Whoever asks for an answer as JSON has that or an error as JSON, on the last line of errors. */
class JsonErrorsTest {
  @TempDir Path folder;

  private static ObjectNode error(CommandRun run, int status) {
    assertThat(run.status()).isEqualTo(status);
    assertThat(run.out()).isEmpty();
    List<String> lines = run.err().lines().toList();
    ObjectNode error = Json.read(lines.get(lines.size() - 1));
    assertThat(error.path("status").asInt()).isEqualTo(status);
    return error;
  }

  @Test
  void aMissingFile_isNamed() {
    ObjectNode error =
        error(CommandRun.of("card", "nowhere", "--format", "json"), ExitCode.INVALID);
    assertThat(error.path("error").asString()).contains("nowhere", "there is no such file");
  }

  @Test
  void anUnknownOption_isAnErrorLikeOthers() {
    ObjectNode error =
        error(CommandRun.of("list", "--format=json", "--nonsense"), ExitCode.INVALID);
    assertThat(error.path("error").asString()).contains("--nonsense");
    assertThat(CommandRun.of("list", "--nonsense").err()).doesNotContain("{\"");
  }

  @Test
  void everyMistakeOfASweep_hasItsLine() throws IOException {
    Path sweep =
        Files.writeString(
            folder.resolve("sweep.yaml"), "version: 1\nname: small\nbudget: {epsilon: -1}\n");
    ObjectNode error =
        error(CommandRun.of("plan", sweep.toString(), "--format", "json"), ExitCode.INVALID);
    assertThat(error.path("problems").size()).isGreaterThan(1);
    assertThat(error.path("problems").valueStream().map(p -> p.path("line").asInt())).contains(3);
    assertThat(error.path("problems").get(0).path("file").asString()).endsWith("sweep.yaml");
    String validated = CommandRun.of("validate", sweep.toString(), "--format", "json").out();
    assertThat(Json.read(validated).path("problems")).isEqualTo(error.path("problems"));
    assertThat(error.at("/problems/0").propertyNames()).containsExactly("file", "line", "text");
  }

  @Test
  void tokens_exports_andCards_areAnsweredAsJson() throws IOException {
    String store = folder.resolve("store").toString();
    Files.createDirectories(folder.resolve("store"));
    ObjectNode token =
        Json.read(
            CommandRun.of(
                    "token",
                    "create",
                    "--output",
                    store,
                    "--role",
                    "read",
                    "--name",
                    "ana",
                    "--format",
                    "json")
                .succeeded()
                .out());
    assertThat(token.path("name").asString()).isEqualTo("ana");
    assertThat(token.path("role").asString()).isEqualTo("read");
    assertThat(token.path("token").asString()).hasSizeGreaterThan(20);
    assertThat(
            Json.read(
                    CommandRun.of("token", "revoke", "ana", "--output", store, "--format", "json")
                        .succeeded()
                        .out())
                .path("revoked")
                .asString())
        .isEqualTo("ana");

    Path study = CommandRun.run(SmallSweep.in(folder).steps(5)).succeeded().folder();
    Path file = folder.resolve("model.onnx");
    ObjectNode exported =
        Json.read(
            CommandRun.of(
                    "export", study.toString(), "--output", file.toString(), "--format", "json")
                .succeeded()
                .out());
    assertThat(exported.path("to").asString()).isEqualTo("onnx");
    assertThat(file).exists();
    ObjectNode card =
        Json.read(CommandRun.of("card", study.toString(), "--format", "json").succeeded().out());
    assertThat(card).isEqualTo(Json.read(Files.readString(study.resolve("card.json"))));
    ObjectNode draft =
        Json.read(
            CommandRun.of("data", "draft", table().toString(), "--format", "json")
                .succeeded()
                .out());
    assertThat(draft.path("card").asString()).contains("columns:");
    assertThat(draft.path("unconfirmed").size()).isPositive();
  }

  private Path table() throws IOException {
    return Files.writeString(folder.resolve("table.csv"), "age,home\n31,own\n44,rent\n29,own\n");
  }
}
