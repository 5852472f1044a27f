package io.mutune.orchestrator.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "predict", description = "Predict the class of every row of a file.")
final class PredictCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ExitCode.DONE;
  }
}
