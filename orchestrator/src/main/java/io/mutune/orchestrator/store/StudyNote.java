package io.mutune.orchestrator.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A note in a study's chain, of public and released values only.
 *
 * @param content by name, in order
 */
public record StudyNote(Kind kind, Map<String, String> content) {
  /** The kinds of notes. */
  public enum Kind {
    /** The plan of the study. */
    PLAN,
    /** A process that ran the study: versions, machine, engine. */
    PROCESS,
    /** The files from which a process has read rows. */
    DATA,
    /** The point of a run, before it is charged. */
    CHOICE,
    /** How good an iterate of the final run is on public rows. */
    CURVE,
    /** The decision, and the digest of the resulting model. */
    RESULT
  }

  public StudyNote {
    content = Collections.unmodifiableMap(new LinkedHashMap<>(content));
  }

  /** Returns a value that every note of its kind has. */
  public String required(String key) {
    return Objects.requireNonNull(content.get(key), key);
  }
}
