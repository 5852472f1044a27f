package io.mutune.orchestrator.study;

/** Hears how a study goes on. Told public and released values only. */
public interface StudyListener {
  /** Nothing is shown. */
  StudyListener SILENT = new StudyListener() {};

  /** A charge was reserved. */
  default void charged(String what, Spending spending) {}

  /**
   * A run has done some of its steps.
   *
   * @param run what the ledger calls it
   */
  default void step(String run, int done, int steps) {}

  /** Something that the user should know; one line. */
  default void note(String line) {}
}
