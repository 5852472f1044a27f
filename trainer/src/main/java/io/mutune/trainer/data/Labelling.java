package io.mutune.trainer.data;

import java.util.OptionalInt;

/** What a row's label may be: a public statement of the sweep, never learned from rows. */
public sealed interface Labelling permits ClassLabels, TargetRange {
  /** What {@link RowBlocks} keeps of a label that a text file writes; empty if it is none. */
  OptionalInt codeOf(String text);

  /** The same of a label that is a number in its file. */
  OptionalInt codeOf(double number);

  /** The number of classes, or {@link #REAL} where labels are real numbers. */
  int size();

  /** What to say of a label that is none, after its place. */
  default String fault() {
    return size() == REAL ? " is not a finite number" : " is not one of the class labels";
  }

  /** In place of a number of classes. */
  int REAL = 0;
}
