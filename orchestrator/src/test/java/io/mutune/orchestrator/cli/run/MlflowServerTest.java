package io.mutune.orchestrator.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.cli.RecordedMlflow;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class MlflowServerTest {
  private static MlflowServer server(String address, Map<String, String> environment) {
    return new MlflowServer(address, environment, new Interruption(), MlflowServer.PATIENCE);
  }

  private static AbstractThrowableAssert<?, ?> failureOf(RecordedMlflow server) {
    return assertThatThrownBy(() -> server(server.address(), Map.of()).experiment("a"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("MLflow at " + server.address() + ": ");
  }

  @Test
  void whoSignsIn_doesSoAsMlflowsOwnClientDoes() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server(server.address(), Map.of("MLFLOW_TRACKING_TOKEN", "word")).experiment("a");
      server(
              server.address(),
              Map.of("MLFLOW_TRACKING_USERNAME", "me", "MLFLOW_TRACKING_PASSWORD", "s"))
          .experiment("a");
      assertThat(server.authorizations).contains("Bearer word", "Basic bWU6cw==");
    }
  }

  /** As of a file with the line ends of another system. */
  @ParameterizedTest
  @ValueSource(strings = {"hunter2\r", "hunter2\nX: y", "hunt\u0000er2", "hunt\u0142er2"})
  void aTokenThatNoHeaderCanHave_isNotShown(String token) {
    assertThatThrownBy(
            () -> server("http://h", Map.of("MLFLOW_TRACKING_TOKEN", token)).experiment("a"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("MLFLOW_TRACKING_TOKEN has a character")
        .hasMessageNotContaining("hunt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:s@host",
        "me:s@host",
        "http://a%zz",
        "http://[x",
        "http://a_b:5000",
        "http://a:x"
      })
  void whatIsNoAddress_isRefusedInWords(String address) {
    assertThatThrownBy(() -> server(address, Map.of()).experiment("a"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--log-to mlflow: its URI is no address such as")
        .hasMessageNotContaining(address);
  }

  @Test
  void anAnswerThatDoesNotEnd_isWaitedForNoLongerThanAnyOther() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.sayWithoutEnd("experiments/get-by-name", 1);
      MlflowServer asked =
          new MlflowServer(server.address(), Map.of(), new Interruption(), Duration.ofSeconds(3));
      assertThatThrownBy(() -> asked.experiment("a"))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith(": its answer is not whole after 3 s");
    }
  }

  /** As of random stopping, which is not stopped on its way. */
  @Test
  void anInterruptionThatTheStudyOutlived_isNoneOfItsLog() throws IOException {
    Interruption interruption = new Interruption();
    try (RecordedMlflow server = RecordedMlflow.open()) {
      MlflowServer asked =
          new MlflowServer(server.address(), Map.of(), interruption, MlflowServer.PATIENCE);
      interruption.request();
      assertThatThrownBy(() -> asked.experiment("a")).hasMessageEndingWith(": interrupted");
      asked.beginLog();
      assertThat(asked.experiment("a")).isEqualTo("7");
    }
  }

  @Test
  void anAnswerWithoutBound_isNotCollected() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.sayWithoutEnd("experiments/get-by-name", 1 << 16);
      failureOf(server).hasMessageEndingWith(": its answer has more than 1048576 bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"experiment\": null}",
        "{\"experiment\": {\"experiment_id\": \"\"}}",
        "{\"experiment\": {\"experiment_id\": {}}}"
      })
  void whatAnswersWithoutAnId_isNoMlflowServer(String answer) throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      server.say("experiments/get-by-name", "200 " + answer);
      failureOf(server).hasMessageContaining("its answer has no experiment_id");
      server.say("experiments/get-by-name", "404 {}");
      server.say("experiments/create", "200 " + answer);
      failureOf(server).hasMessageContaining("its answer has no experiment_id");
    }
  }

  @Test
  void whatTheServerSays_isALineThatMovesNoCursor() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      String said = "\\u001b[2J" + "a".repeat(10_000) + "\\nb";
      server.say("experiments/get-by-name", "400 {\"message\": \"" + said + "\"}");
      failureOf(server)
          .message()
          .contains("with 400: ?[2Jaaa")
          .endsWith("aa...")
          .hasSizeLessThan(1000);
    }
  }
}
