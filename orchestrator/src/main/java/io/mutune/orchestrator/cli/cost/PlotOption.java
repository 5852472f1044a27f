package io.mutune.orchestrator.cli.cost;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cost.CostPlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a cost question's answer is drawn, if it is to be. */
final class PlotOption {
  private static final String ENDING = ".svg";

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description =
          "draw it: the trade-off curve, or for dpsgd epsilon against steps; written to this file")
  private @Nullable Path file;

  /**
   * Draws it and says where.
   *
   * @throws IllegalArgumentException if the file's name says that it is no SVG
   * @throws IOException if it cannot be written
   */
  void draw(Supplier<CostPlot> plot, CliCommand command) throws IOException {
    if (file == null) {
      return;
    }
    if (!file.toString().endsWith(ENDING)) {
      throw new IllegalArgumentException(
          "--plot draws SVG, so its file's name must end in " + ENDING + "; was " + file);
    }
    OutputFile.requirePlace("--plot", file);
    plot.get().write(file);
    command.say("wrote " + file);
  }
}
