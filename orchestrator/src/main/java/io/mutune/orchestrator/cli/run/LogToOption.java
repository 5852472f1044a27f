package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where else a finished study is written: {@code --log-to mlflow URI}. */
final class LogToOption {
  private static final String MLFLOW = "mlflow";

  @Option(
      names = "--log-to",
      arity = "2",
      paramLabel = "mlflow URI",
      hideParamSyntax = true,
      description =
          "when the study has ended, log it to this MLflow tracking server: released figures,"
              + " trials and model alone. It is asked for the experiment before anything is charged")
  private String @Nullable [] logTo;

  /**
   * Asks the server for the experiment of the sweep's name, so that a wrong address is known before
   * a study costs anything.
   */
  Optional<MlflowLog> open(String sweep, Interruption interruption) throws IOException {
    if (logTo == null) {
      return Optional.empty();
    }
    if (!logTo[0].equals(MLFLOW)) {
      throw new UsageException(
          "--log-to knows mlflow alone, such as: --log-to mlflow http://127.0.0.1:5000");
    }
    MlflowServer server =
        new MlflowServer(logTo[1], System.getenv(), interruption, MlflowServer.PATIENCE);
    return Optional.of(new MlflowLog(server, server.experiment(sweep), System.currentTimeMillis()));
  }
}
