package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.study.StartModel;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.util.Optional;

/**
 * What training reads without a charge.
 *
 * @param rows the sweep's public ones, mapped as training has them, where its method has use for
 *     them
 * @param start that runs begin from; empty for zero weights
 */
public record PublicInputs(Optional<PublicRows> rows, Optional<LinearModel> start) {
  /**
   * Those of a study that has run.
   *
   * @param files that it was let through to
   */
  static PublicInputs of(StudyDataFiles files, StudyResult result) throws IOException {
    SweepDefinition sweep = result.study().sweep();
    Optional<PublicRows> rows = Optional.empty();
    if (sweep.train().method().usesPublicRows() && sweep.publicRows().isPresent()) {
      rows = Optional.of(files.open(sweep.publicRows().get(), result.features()));
    }
    return new PublicInputs(rows, StartModel.of(files, rows));
  }
}
