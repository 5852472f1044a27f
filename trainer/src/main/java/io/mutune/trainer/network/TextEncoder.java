package io.mutune.trainer.network;

import java.io.IOException;

/**
 * A frozen network made ready. What it makes of a text follows from that text alone: never from
 * another text, from how many are encoded at the same time, or from what was encoded before.
 */
public interface TextEncoder extends AutoCloseable {
  /** A public text, which every encoder is tried on. */
  String ANY_TEXT = "a text";

  /** How many numbers a text becomes. */
  int width();

  /** The layer of the network whose numbers are taken, for each token of a text. */
  String layer();

  /**
   * Writes a text's numbers, {@link #width} of them, all finite. Several threads may call it at the
   * same time.
   *
   * @param text any text, be it empty
   * @throws IOException if the network fails at this text
   */
  void encode(String text, float[] out, int at) throws IOException;

  @Override
  void close();
}
