package io.mutune.accountant;

import java.util.Arrays;
import java.util.Optional;

/** Which pairs of data sets are neighbours, and so what the guarantee hides. */
public enum Adjacency {
  /** One has a row more than the other: hides whether a row took part, and the number of rows. */
  ADD_REMOVE("add-remove", 1),
  /** One row differs: hides a row's contents; the number of rows is public. */
  REPLACE_ONE("replace-one", 2);

  private final String key;
  private final int sumSensitivity;

  Adjacency(String key, int sumSensitivity) {
    this.key = key;
    this.sumSensitivity = sumSensitivity;
  }

  /** The name in sweeps, statements and ledgers. */
  public String key() {
    return key;
  }

  /**
   * The L2 sensitivity of a sum of vectors of norm at most 1, one a row: replacing a row takes one
   * vector away and adds another.
   */
  public int sumSensitivity() {
    return sumSensitivity;
  }

  public static Optional<Adjacency> ofKey(String key) {
    return Arrays.stream(values()).filter(a -> a.key.equals(key)).findFirst();
  }
}
