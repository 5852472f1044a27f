package io.mutune.trainer.table;

import org.jspecify.annotations.Nullable;

/** A type that keeps more than its settings, by which alone it equals another of its kind. */
abstract sealed class ComparedBySettings implements ColumnType
    permits CategoryType, OrdinalType, BooleanType, DateType, LabelType {
  @Override
  public final boolean equals(@Nullable Object o) {
    return o instanceof ComparedBySettings that
        && getClass() == that.getClass()
        && settings().asMap().equals(that.settings().asMap());
  }

  @Override
  public final int hashCode() {
    return settings().asMap().hashCode();
  }
}
