package io.mutune.orchestrator.sweep;

import io.mutune.trainer.data.DataSpec;
import java.util.OptionalLong;

/**
 * One data set of a sweep.
 *
 * @param rows the public statement about its size; always there for private data
 * @param isPrivate whether its rows need protection, so that only charged figures of it are shown
 */
public record DataSource(DataSpec spec, OptionalLong rows, boolean isPrivate) {
  public DataSource {
    if (isPrivate && rows.isEmpty()) {
      throw new IllegalArgumentException("private data need a public row count");
    }
  }
}
