package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Studies that run in the test's own process. */
final class StudiesHere {
  private StudiesHere() {}

  /** In silence on the reference engine, until it ends or is cancelled. */
  static StudyResult run(StudyStore store, Study study, BooleanSupplier cancelled)
      throws IOException {
    return new StudyRunner(
            store, study, new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, cancelled))
        .run();
  }
}
