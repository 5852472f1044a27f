package io.mutune.orchestrator.sweep;

import io.mutune.trainer.file.Resource;

/**
 * The JSON Schema of the sweep, for editors: every key with its type and range. A test holds it
 * against the readers, which check more.
 */
public final class SweepSchema {
  private static final String RESOURCE = "sweep.schema.json";

  private SweepSchema() {}

  /** The schema as it stands in {@code docs}. */
  public static String text() {
    return Resource.text(SweepSchema.class, RESOURCE);
  }
}
