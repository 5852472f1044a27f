package io.mutune.orchestrator.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The JSON Schema of the sweep, for editors: every key with its type and range. A test holds it
 * against the readers, which check more.
 */
public final class SweepSchema {
  private static final String RESOURCE = "sweep.schema.json";

  private SweepSchema() {}

  /** The schema as it stands in {@code docs}. */
  public static String text() {
    try (InputStream in = SweepSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
