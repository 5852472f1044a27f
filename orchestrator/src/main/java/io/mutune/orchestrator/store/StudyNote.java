package io.mutune.orchestrator.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something to remember of a study, kept in its chain as it is written. Public and released values
 * only.
 *
 * @param content by name, in order
 */
public record StudyNote(Kind kind, Map<String, String> content) {
  /** What it is about. */
  public enum Kind {
    /** What the study was planned to ask. */
    PLAN,
    /** A process that worked on it: versions, machine, engine. */
    PROCESS,
    /** Which files a process has read rows from. */
    DATA,
    /** What was decided, and the model that is the result. */
    RESULT
  }

  public StudyNote {
    content = Collections.unmodifiableMap(new LinkedHashMap<>(content));
  }
}
