package io.mutune.trainer.table;

import java.util.List;
import java.util.Optional;

/** Not looked at. */
public record IgnoredType() implements ColumnType {
  static final ColumnKind KIND =
      new ColumnKind("ignore", "not looked at", List.of(), given -> Optional.of(new IgnoredType()));

  @Override
  public ColumnKind kind() {
    return KIND;
  }
}
