package io.mutune.trainer.network;

import io.mutune.trainer.feature.Image;
import java.io.IOException;

/** Where encoders are opened: {@link EncoderLibrary}, or what was sent of one. */
public interface Encoders {
  /**
   * The encoder of texts that is meant, ready.
   *
   * @throws IOException if it is not here, is another one, or cannot be computed on this machine;
   *     in one line
   */
  TextEncoder openTexts(EncoderReference encoder) throws IOException;

  /**
   * The encoder of pictures, likewise.
   *
   * @throws IOException as {@link #openTexts}
   */
  PictureEncoder openPictures(EncoderReference encoder) throws IOException;

  /**
   * The size that an encoder of pictures takes them in.
   *
   * @throws IOException if it is not here or is another one
   */
  Image size(EncoderReference encoder) throws IOException;

  /**
   * About how many bytes of the heap each thread takes that encodes.
   *
   * @throws IOException if it is not here or is another one
   */
  double bytesOfAThread(EncoderReference encoder) throws IOException;

  /**
   * Looks whether an encoder can be opened.
   *
   * @throws IOException as {@link #openTexts}
   */
  default void check(EncoderReference encoder) throws IOException {
    switch (encoder.subject()) {
      case TEXT -> openTexts(encoder).close();
      case PICTURE -> openPictures(encoder).close();
    }
  }
}
