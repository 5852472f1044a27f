package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.study.StartModel;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicData;
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
  /** Those of a study that has run. */
  static PublicInputs of(StudyResult result) throws IOException {
    SweepDefinition sweep = result.study().sweep();
    Optional<PublicRows> rows = Optional.empty();
    if (sweep.train().method().usesPublicRows() && sweep.publicRows().isPresent()) {
      PublicData data = new PublicData(sweep.publicRows().get().spec(), result.features());
      rows = Optional.of(data.rows());
    }
    return new PublicInputs(rows, StartModel.of(sweep, rows));
  }
}
