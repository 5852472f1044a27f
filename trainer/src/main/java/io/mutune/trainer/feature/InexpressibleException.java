package io.mutune.trainer.feature;

import java.io.Serial;

/**
 * There is no way to write something down for programs that do not know it; the message says what.
 */
public final class InexpressibleException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public InexpressibleException(String message) {
    super(message);
  }
}
