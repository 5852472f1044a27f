package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;

/** A study that canaries are put into. */
public sealed interface AuditedStudy extends AutoCloseable permits UnchargedStudy, ChargedStudy {
  SweepDefinition sweep();

  Engine engine();

  /**
   * Canaries for its rows, before any coin is thrown.
   *
   * @throws IllegalArgumentException if the rows do not bear such ones
   * @throws IOException if data cannot be read
   */
  KnownRows canaries(CanaryKind kind, int count, long seed) throws IOException;

  /** What is known of the other rows. */
  Knowledge knowledge() throws IOException;

  /**
   * Runs the study, once.
   *
   * @param members canaries that take part
   * @throws IOException if data cannot be read
   */
  Transcript run(KnownRows members) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Rows before any map.
   *
   * @param weight how many people, or single rows, that took part each of them stands for
   * @param whole whether they are the very rows that took part
   */
  record Knowledge(KnownRows rows, double weight, boolean whole) {}
}
