package io.mutune.orchestrator.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.cli.RecordedMlflow;
import io.mutune.orchestrator.cli.command.UsageException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MlflowServerTest {
  @Test
  void whoSignsIn_doesSoAsMlflowsOwnClientDoes() throws IOException {
    try (RecordedMlflow server = RecordedMlflow.open()) {
      new MlflowServer(server.address(), Map.of("MLFLOW_TRACKING_TOKEN", "word")).experiment("a");
      new MlflowServer(
              server.address(),
              Map.of("MLFLOW_TRACKING_USERNAME", "me", "MLFLOW_TRACKING_PASSWORD", "s"))
          .experiment("a");
      assertThat(server.authorizations).contains("Bearer word", "Basic bWU6cw==");
      assertThatThrownBy(() -> new MlflowServer("http://me:s@host", Map.of()))
          .isInstanceOf(UsageException.class);
    }
  }
}
