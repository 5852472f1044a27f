package io.mutune.trainer.network;

import java.io.IOException;

/**
 * A frozen network of pictures made ready. What it makes of one follows from that one alone, as
 * with {@link TextEncoder}.
 */
public interface PictureEncoder extends AutoCloseable {
  /** How many numbers a picture becomes. */
  int width();

  /** How the network is asked. */
  PictureNetwork.Ports ports();

  /**
   * A picture's numbers, {@link #width} of them, all finite. Several threads may call it at the
   * same time.
   *
   * @param values [channels, height, width] of the form's size, from 0 to 1
   * @throws IOException if the network fails at this picture
   */
  float[] encode(float[] values) throws IOException;

  @Override
  void close();
}
