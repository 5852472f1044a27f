package io.mutune.trainer.feature;

/**
 * A feature map made ready for rows of one width. May hold scratch, so it belongs to one thread.
 */
@FunctionalInterface
public interface RowMap {
  /**
   * Writes a row's image.
   *
   * @param in left as it is; another array than {@code out}
   * @param inOffset where the row starts
   * @param out where the image goes, every value of it overwritten
   * @param outOffset where the image starts
   */
  void apply(float[] in, int inOffset, float[] out, int outOffset);
}
