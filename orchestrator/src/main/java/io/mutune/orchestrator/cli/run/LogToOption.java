package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.cli.command.UsageException;
import java.io.IOException;
import java.nio.file.Path;
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
   * The experiment that a study is to be logged to, which has the sweep's name.
   *
   * @param begun when, in milliseconds: when a study of secret runs ended would tell how many there
   *     were
   */
  record Target(MlflowServer server, String experiment, long begun) {
    void log(Path folder, CliCommand command) throws IOException {
      boolean all;
      try {
        all = new MlflowLog(server, experiment, begun).log(folder);
      } catch (IOException e) {
        throw new IOException(
            "the study is finished, with its results in "
                + folder
                + ", but not all of it was logged: "
                + e.getMessage(),
            e);
      }
      if (!all) {
        command.say(
            "MLflow took the figures; it keeps files where only its own client puts them, so the"
                + " model stays in "
                + folder);
      }
    }
  }

  /** Asks the server, so that a wrong address is known before a study costs anything. */
  Optional<Target> open(String sweep, Interruption interruption) throws IOException {
    if (logTo == null) {
      return Optional.empty();
    }
    if (!logTo[0].equals(MLFLOW)) {
      throw new UsageException(
          "--log-to knows mlflow alone, such as: --log-to mlflow http://127.0.0.1:5000");
    }
    MlflowServer server =
        new MlflowServer(logTo[1], System.getenv(), interruption, MlflowServer.PATIENCE);
    return Optional.of(new Target(server, server.experiment(sweep), System.currentTimeMillis()));
  }
}
