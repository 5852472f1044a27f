package io.mutune.orchestrator.store;

/**
 * Tells other processes that this one runs a study, until it is closed; see {@link
 * StudyStore#hold}.
 */
public interface StudyHold extends AutoCloseable {
  /** For stores that no other process uses. */
  StudyHold NONE = () -> {};

  @Override
  void close();
}
