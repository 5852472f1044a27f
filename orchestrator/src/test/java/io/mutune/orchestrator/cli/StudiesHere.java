package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Studies that run in the test's own process. */
final class StudiesHere {
  private StudiesHere() {}

  /**
   * The study of a sweep's file, in no store yet.
   *
   * @param runs where its results would go
   */
  static Study of(Path sweep, Path runs) throws IOException {
    String text = Files.readString(sweep);
    SweepContext context = SweepContext.ofFile(sweep);
    StudyPlan plan = StudyPlan.of(SweepReader.read(sweep.toString(), text, context));
    return Study.create(plan, text, context, runs);
  }

  /** Of one on made-up rows, whose file it writes. */
  static Study of(SmallSweep sweep) throws IOException {
    return of(Path.of(sweep.command("run")[1]), sweep.runs());
  }

  /** In silence on the reference engine, until it ends or is cancelled. */
  static StudyResult run(StudyStore store, Study study, BooleanSupplier cancelled)
      throws IOException {
    return new StudyRunner(
            store, study, new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, cancelled))
        .run();
  }
}
