package io.mutune.trainer.noise;

/** All rows in one bucket. */
record OneBucket(RowOrders orders) implements RowBuckets {
  @Override
  public int count() {
    return 1;
  }

  @Override
  public int ofNumbers(float[] rows, int from, int columns) {
    return 0;
  }

  @Override
  public int ofName(long name) {
    return 0;
  }

  @Override
  public RowOrders orders(int bucket) {
    return orders;
  }
}
