package io.mutune.orchestrator.paired;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A row of a made-up data set, as a file is to have it.
 *
 * @param fault what is wrong with it
 * @param values of its features, all within [0, 1]
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PairedRow(Fault fault, float[] values, int label) {
  static final int FEATURES = 4;
  static final int CLASSES = 2;

  /** What may be wrong with a row; each form of file has some of them. */
  enum Fault {
    NONE,
    BAD_LABEL,
    TEXT,
    EMPTY_FIELD,
    MISSING_FIELD,
    MORE_FIELDS,
    NOT_FINITE,
    OPEN_QUOTE,
    BAD_TOKEN,
    INDEX_BEYOND
  }

  /** Rows around a centre for each class. */
  static List<PairedRow> rows(int count, long seed) {
    Random random = new Random(seed);
    List<PairedRow> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      int label = random.nextInt(CLASSES);
      float[] values = new float[FEATURES];
      for (int j = 0; j < FEATURES; j++) {
        double value = (j % CLASSES == label ? 0.7 : 0.3) + random.nextGaussian() / 10;
        values[j] = (float) Math.min(1, Math.max(0.01, value));
      }
      rows.add(new PairedRow(Fault.NONE, values, label));
    }
    return rows;
  }

  /** All features 0, and a label that no model without a bias gives it: the last of all classes. */
  static PairedRow zero() {
    return new PairedRow(Fault.NONE, new float[FEATURES], CLASSES - 1);
  }

  /** One that would fit but for its fault. */
  static PairedRow malformed(Fault fault) {
    return new PairedRow(fault, rows(1, 99).get(0).values(), 0);
  }

  /** One like the others. */
  static PairedRow real() {
    return rows(1, 77).get(0);
  }

  /** The rows with others among them, the i-th of them before the row at place i, or at the end. */
  static List<PairedRow> among(List<PairedRow> rows, List<PairedRow> others) {
    List<PairedRow> all = new ArrayList<>(rows);
    for (int i = 0; i < others.size(); i++) {
      all.add(Math.min(all.size(), 2 * i + 3), others.get(i));
    }
    return all;
  }
}
