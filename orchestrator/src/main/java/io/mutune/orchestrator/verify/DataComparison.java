package io.mutune.orchestrator.verify;

import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataFingerprint;
import io.mutune.orchestrator.study.Provenance;
import io.mutune.orchestrator.study.Study;
import io.mutune.trainer.data.DataKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Data files as they are now, held against what a study kept of them. Private, for whoever holds
 * the files: it tells whether they changed.
 *
 * @param now what became of the files since
 */
public record DataComparison(String study, String part, String now) {
  /** What whoever reads it should know first. */
  public static final String WARNING =
      "What follows is private: it says whether private files changed. Do not publish it.";

  /**
   * Of a study, once for each process that noted a part.
   *
   * @throws IOException if a file or the key cannot be read
   */
  public static List<DataComparison> of(StudyStore store, Study study, Optional<DataKey> key)
      throws IOException {
    List<DataComparison> found = new ArrayList<>();
    for (DataFingerprint kept : Provenance.data(store.notes(study.id()))) {
      String now = kept.compare(study.sweep(), key).name().toLowerCase(Locale.ROOT);
      found.add(new DataComparison(study.id(), kept.part(), now));
    }
    return found;
  }

  /** For people. */
  public static String text(List<DataComparison> comparisons) {
    StringBuilder text = new StringBuilder(WARNING).append('\n');
    for (DataComparison c : comparisons) {
      text.append("study %s, %s: %s%n".formatted(c.study, c.part, c.now));
    }
    return text.toString();
  }
}
