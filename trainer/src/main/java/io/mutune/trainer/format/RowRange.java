package io.mutune.trainer.format;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which of a file's data rows are meant, by position from 1, both ends included; a header line does
 * not count. Rows outside are not looked at.
 */
public record RowRange(long first, long last) implements Serializable {
  public RowRange {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "a range of rows goes from 1 or later to the same row or a later one; was "
              + first
              + "-"
              + last);
    }
  }

  public boolean contains(long position) {
    return position >= first && position <= last;
  }

  public long size() {
    return last - first + 1;
  }

  /** What is left of it after so many rows, by position among those that follow; null for none. */
  public @Nullable RowRange after(long passed) {
    return last <= passed ? null : new RowRange(Math.max(1, first - passed), last - passed);
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
