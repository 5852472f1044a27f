package io.mutune.trainer.network;

import java.io.IOException;
import java.io.Serializable;

/** A network as it lies on this machine, for another program or another machine to compute. */
public sealed interface EncoderNetwork extends Serializable permits PictureNetwork, TextNetwork {
  /**
   * What it is.
   *
   * @param width how many numbers it gives
   */
  EncoderIdentity identity(int width);

  /**
   * Makes sure that this is the encoder that is meant.
   *
   * @throws IOException if it is another one
   */
  default void require(EncoderReference meant) throws IOException {
    String digest = identity(meant.numbers()).digest();
    if (!digest.equals(meant.digest())) {
      throw new IOException(
          "what came as the encoder '%s' is another one: its digest is %s, not %s"
              .formatted(meant.name(), digest, meant.digest()));
    }
  }
}
