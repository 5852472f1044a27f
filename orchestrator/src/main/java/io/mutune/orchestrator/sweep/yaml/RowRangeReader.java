package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.format.RowRange;
import java.util.List;
import java.util.Optional;

/** Reads {@code range}: which rows of a file are meant. */
final class RowRangeReader {
  private RowRangeReader() {}

  /** The range, if the section states one and nothing is wrong with it. */
  static Optional<RowRange> read(YamlSection data) {
    return data.section("range").flatMap(RowRangeReader::range);
  }

  private static Optional<RowRange> range(YamlSection section) {
    Optional<Long> first = section.integer("first", 1, 1L << 40);
    Optional<Long> last = section.integer("last", 1, 1L << 40);
    for (String key : List.of("first", "last")) {
      section.require(key, "a range is first and last row, counted from 1, both taken");
    }
    section.finish();
    if (first.isPresent() && last.isPresent() && last.get() < first.get()) {
      section.broken("last", "must be at least first (" + first.get() + ")");
      return Optional.empty();
    }
    return first.flatMap(from -> last.map(to -> new RowRange(from, to)));
  }
}
