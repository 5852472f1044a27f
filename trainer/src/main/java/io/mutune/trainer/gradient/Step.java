package io.mutune.trainer.gradient;

import io.mutune.trainer.loss.Loss;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * What each block of rows is asked in one step of some trials.
 *
 * @param classes of the loss
 * @param columns of all active trials together, those that are mirrored counted once
 * @param clips of the active trials, in their order; more may follow
 * @param packed their weights in float32, {@code [columns, width]} from {@code LINE_START} on; more
 *     may follow
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Step(Loss loss, int classes, int columns, ClipNorm[] clips, float[] packed)
    implements Serializable {
  /** With weights as bytes, which Java serializes many times as fast. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Written(Loss loss, int classes, int columns, ClipNorm[] clips, byte[] packed)
      implements Serializable {
    private Object readResolve() {
      float[] weights = new float[packed.length / Float.BYTES];
      view(packed).get(weights);
      return new Step(loss, classes, columns, clips, weights);
    }
  }

  private Object writeReplace() {
    byte[] bytes = new byte[Math.multiplyExact(packed.length, Float.BYTES)];
    view(bytes).put(packed);
    return new Written(loss, classes, columns, clips, bytes);
  }

  private static FloatBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
  }
}
