package io.mutune.trainer.data;

import java.io.IOException;
import java.io.Serial;

/**
 * Protected rows could not be read although they were charged for. The message is the same whatever
 * is wrong; the cause is for whoever holds the files, and for nobody else.
 */
public final class UnreadableRowsException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  UnreadableRowsException(IOException cause) {
    super("the protected rows cannot be read in the form that the sweep says", cause);
  }
}
