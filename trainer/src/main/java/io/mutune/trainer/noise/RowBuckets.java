package io.mutune.trainer.noise;

import java.io.Serializable;

/**
 * Which rows may share a block: those of one bucket, which stand there in a random order of the
 * bucket's own. The bucket of a unit follows from a key and from what the unit is: no other unit,
 * its place in a file or how many there are has a say in it, so that a unit more or less changes
 * one bucket (docs/soundness.md). All of it is as secret as noise.
 */
public interface RowBuckets extends Serializable {
  /** How many there are: by public numbers. */
  int count();

  /**
   * The bucket of a row that is a unit by itself.
   *
   * @param rows of which it is {@code columns} numbers from {@code from} on
   */
  int ofNumbers(float[] rows, int from, int columns);

  /**
   * The bucket of a unit that has a name.
   *
   * @param name a number that follows from it
   */
  int ofName(long name);

  /** The orders of one bucket: the same ones whenever it is asked, on whichever machine. */
  RowOrders orders(int bucket);

  /** A single bucket with these orders. */
  static RowBuckets one(RowOrders orders) {
    return new OneBucket(orders);
  }
}
