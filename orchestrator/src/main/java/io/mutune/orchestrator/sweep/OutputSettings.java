package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Delta;
import io.mutune.trainer.table.ColumnGroups;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where a study's files go.
 *
 * @param directory under which the study's own folder is written
 * @param perInstance the private file for what each training row has cost
 * @param deltas at which the statement says ε beside the usual ones
 * @param by the column by whose values public test rows are judged too
 */
public record OutputSettings(
    Path directory, Optional<Path> perInstance, List<Delta> deltas, Optional<ColumnGroups> by) {
  public OutputSettings {
    deltas = List.copyOf(deltas);
  }
}
