package io.mutune.trainer.format;

import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.ColumnType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TargetType;
import java.io.Serializable;
import java.util.OptionalInt;

/** What a row's label may be: a public statement of the sweep, never learned from rows. */
public sealed interface Labelling extends Serializable permits ClassLabels, TargetRange, KeptCodes {
  /** What a block of rows keeps of a label that a text file writes; empty if it is none. */
  OptionalInt codeOf(String text);

  /** The same of a label that is a number in its file. */
  OptionalInt codeOf(double number);

  /** The number of classes, or {@link #REAL} where labels are real numbers. */
  int size();

  /** What to say of a label that is none, after its place. */
  default String fault() {
    return size() == REAL ? " is not a finite number" : " is not one of the class labels";
  }

  /** After {@link #fault}, which labels there are, where that is short to say. */
  default String allowed() {
    return "";
  }

  /**
   * What the column of type label or target says.
   *
   * @throws IllegalArgumentException if the table has none
   */
  static Labelling of(Table table) {
    ColumnType type = table.label().map(Column::type).orElse(null);
    if (type instanceof LabelType label) {
      return new ClassLabels(label.values());
    }
    if (type instanceof TargetType target) {
      return new TargetRange(target.min(), target.max());
    }
    throw new IllegalArgumentException("a table of labelled rows needs a label or a target");
  }

  /** In place of a number of classes. */
  int REAL = 0;
}
