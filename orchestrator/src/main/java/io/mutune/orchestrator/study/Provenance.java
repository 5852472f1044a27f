package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import java.util.List;
import java.util.Map;

/**
 * By what a reader can check later how a result came to be.
 *
 * @param ledger where the study's ledger stood when the result was known
 * @param processes that worked on it, in order, each by what its results may depend on
 * @param data that they read
 */
public record Provenance(
    LedgerHead ledger, List<Map<String, String>> processes, List<DataFingerprint> data) {
  public Provenance {
    processes = List.copyOf(processes);
    data = List.copyOf(data);
  }

  /**
   * The provenance of a study as the store has it now.
   *
   * @throws io.mutune.orchestrator.store.StoreException if the ledger is not what was written:
   *     nothing is stated from it then
   */
  static Provenance of(StudyStore store, String study) {
    List<StudyNote> notes = store.notes(study);
    return new Provenance(store.ledger(study).requireHead(study), processes(notes), data(notes));
  }

  /** What notes say of the processes that worked on a study. */
  public static List<Map<String, String>> processes(List<StudyNote> notes) {
    return of(StudyNote.Kind.PROCESS, notes);
  }

  /** What notes say of the data that a study has read. */
  public static List<DataFingerprint> data(List<StudyNote> notes) {
    return of(StudyNote.Kind.DATA, notes).stream().map(DataFingerprint::of).toList();
  }

  private static List<Map<String, String>> of(StudyNote.Kind kind, List<StudyNote> notes) {
    return notes.stream().filter(note -> note.kind() == kind).map(StudyNote::content).toList();
  }
}
