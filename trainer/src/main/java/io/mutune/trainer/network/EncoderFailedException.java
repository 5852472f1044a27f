package io.mutune.trainer.network;

import java.io.IOException;

/** An encoder takes no input any more, as where a device is lost: no fault of a row or a file. */
public final class EncoderFailedException extends IOException {
  private static final long serialVersionUID = 1;

  public EncoderFailedException(String message) {
    super(message);
  }
}
