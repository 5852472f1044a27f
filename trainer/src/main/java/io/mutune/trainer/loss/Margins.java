package io.mutune.trainer.loss;

/** Classes as signs: one logit for two of them, otherwise one logit a class. */
final class Margins {
  private Margins() {}

  static int columns(String key, int classes) {
    if (classes < 2) {
      throw new IllegalArgumentException(key + " needs at least 2 classes; was " + classes);
    }
    return classes == 2 ? 1 : classes;
  }

  /** 1 where logit {@code column} should be above 0 for a row of class {@code label}, else −1. */
  static int sign(int columns, int column, int label) {
    return label == (columns == 1 ? 1 : column) ? 1 : -1;
  }
}
