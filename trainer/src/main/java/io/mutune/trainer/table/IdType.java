package io.mutune.trainer.table;

import java.util.List;
import java.util.Optional;

/** Names a person or a thing: never a feature. One such column may name the unit of privacy. */
public record IdType() implements ColumnType {
  /** Of an id of a row that fits. */
  static final int MOST_CHARACTERS = 256;

  static final ColumnKind KIND =
      new ColumnKind(
          "id",
          "names a person or a thing, and is no feature",
          List.of(),
          given -> Optional.of(new IdType()));

  @Override
  public ColumnKind kind() {
    return KIND;
  }
}
