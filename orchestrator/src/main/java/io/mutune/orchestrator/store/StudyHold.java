package io.mutune.orchestrator.store;

/** That this process runs a study by itself, for as long as it says so; see {@link StudyStore}. */
public interface StudyHold extends AutoCloseable {
  /** Where nobody has to be told. */
  StudyHold NONE = () -> {};

  @Override
  void close();
}
