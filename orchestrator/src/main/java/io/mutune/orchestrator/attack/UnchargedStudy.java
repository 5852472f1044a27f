package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.Canaries;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Of rows that need no protection: the attacker knows all of them, as ε's definition has it, and
 * what the study costs is on no account.
 */
public final class UnchargedStudy implements AuditedStudy {
  private final AttackedSweep attacked;
  private final StudiesInMemory studies;
  private @Nullable KnownRows rows;

  /**
   * @param studies of this sweep; closed with this
   */
  public UnchargedStudy(AttackedSweep attacked, StudiesInMemory studies) {
    this.attacked = attacked;
    this.studies = studies;
  }

  private KnownRows rows() throws IOException {
    if (rows == null) {
      rows = attacked.trainingRows();
    }
    return rows;
  }

  @Override
  public SweepDefinition sweep() {
    return attacked.sweep();
  }

  @Override
  public Engine engine() {
    return studies.engine();
  }

  @Override
  public KnownRows canaries(CanaryKind kind, int count, long seed) throws IOException {
    int classes = sweep().classes();
    KnownRows base = rows();
    return switch (kind) {
      case GRADIENT -> Canaries.gradient(base, classes, count, seed);
      case MISLABELLED -> Canaries.mislabelled(base, classes, count, seed);
      case AMPLIFIED -> Canaries.amplified(base, classes, count, seed, run(base.only()).velocity());
    };
  }

  @Override
  public Knowledge knowledge() throws IOException {
    return new Knowledge(rows(), 1, true);
  }

  @Override
  public Transcript run(KnownRows members) throws IOException {
    return studies.on("rows.npz", rows(), members).run(sweep().run().noise());
  }

  @Override
  public void close() throws IOException {
    studies.close();
  }
}
