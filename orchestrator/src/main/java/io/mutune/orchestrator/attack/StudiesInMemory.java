package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.commons.io.file.PathUtils;

/**
 * Runs an attacked sweep's studies on rows of the attacker's choice, each planned, charged and run
 * as {@code mutune run} would, from a file, in a store that is forgotten.
 */
public final class StudiesInMemory implements AutoCloseable {
  private final AttackedSweep attacked;
  private final RunEnvironment environment;
  private final UnaryOperator<StudyStore> fault;
  private final Path folder;
  private Optional<NoiseLevels> noiseLevels = Optional.empty();

  /**
   * @param environment whose listener hears nothing
   * @throws IOException if there is no room for temporary files
   */
  public StudiesInMemory(AttackedSweep attacked, RunEnvironment environment) throws IOException {
    this(attacked, environment, store -> store);
  }

  /**
   * @param fault what stands between the study and its store; for tests of the detectors
   */
  StudiesInMemory(
      AttackedSweep attacked, RunEnvironment environment, UnaryOperator<StudyStore> fault)
      throws IOException {
    this.attacked = attacked;
    this.environment = environment;
    this.fault = fault;
    this.folder = Files.createTempDirectory("mutune-attack");
  }

  Engine engine() {
    return environment.engine();
  }

  /**
   * Where a study on these rows may be run again and again.
   *
   * @param name of the file, which identifies a data set; rows that were there are replaced
   */
  private Path file(String name, KnownRows rows) throws IOException {
    Path file = folder.resolve(name);
    rows.write(file);
    return file;
  }

  /** One study on these rows, with the sweep's noise. */
  public Transcript run(KnownRows rows) throws IOException {
    return run(rows, attacked.sweep().run().noise());
  }

  Transcript run(KnownRows rows, NoiseRule noise) throws IOException {
    Path file = file("rows.npz", rows);
    try {
      return run(file, rows.columns(), noise);
    } finally {
      Files.delete(file);
    }
  }

  /** A study that may be run again and again. */
  @FunctionalInterface
  interface Repeated {
    /**
     * Runs it.
     *
     * @throws StudyInterruptedException if it was cancelled
     */
    Transcript run(NoiseRule noise) throws IOException;
  }

  /**
   * Studies on the sweep's rows and more. Rows of people come from the sweep's own files, with the
   * others beside them in memory, since a file of numbers names nobody; single rows are one file.
   *
   * @param name of that file, which identifies a data set
   * @param base the sweep's rows
   */
  Repeated on(String name, KnownRows base, KnownRows more) throws IOException {
    if (base.clipsPeople()) {
      return noise -> run(attacked.with(noise), more.asPublic());
    }
    Path file = file(name, base.and(more));
    return noise -> run(file, base.columns(), noise);
  }

  private Transcript run(Path rows, int columns, NoiseRule noise) throws IOException {
    return run(attacked.on(rows, columns, noise), PublicRows.none());
  }

  private Transcript run(SweepDefinition sweep, PublicRows beside) throws IOException {
    StudyPlan plan = StudyPlan.of(sweep, noiseLevels);
    noiseLevels = plan.noiseLevels();
    Study study = Study.create(plan, attacked.text(), attacked.context(), folder);
    try (StudyStore store = fault.apply(Stores.inMemory(attacked.owners()))) {
      study.enter(store);
      return RecordedStudy.run(store, study, beside, environment, Optional.of(new RecordedNoise()));
    }
  }

  @Override
  public void close() throws IOException {
    PathUtils.deleteDirectory(folder);
  }
}
