package io.mutune.orchestrator.cli.experiment;

import io.mutune.trainer.data.RowUnits;
import picocli.CommandLine.Option;

/** {@code --rows}: how many rows the person has whom an attack puts in. */
final class PersonOption {
  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "rows of each person that is put in, all equal; where the unit is a person at most as many"
              + " as it says (default: ${DEFAULT-VALUE}, at most "
              + RowUnits.MOST_ROWS
              + ")")
  private int rows = 1;

  int rows() {
    return rows;
  }
}
