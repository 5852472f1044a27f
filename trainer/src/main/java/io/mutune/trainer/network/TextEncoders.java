package io.mutune.trainer.network;

import java.io.IOException;

/** Where encoders of texts are opened: {@link EncoderLibrary}, or what was sent of one. */
@FunctionalInterface
public interface TextEncoders {
  /**
   * The one that is meant, ready.
   *
   * @throws IOException if it is not here, is another one, or cannot be computed on this machine;
   *     in one line
   */
  TextEncoder openTexts(EncoderReference encoder) throws IOException;
}
