package io.mutune.trainer.image;

import java.io.Serial;

/**
 * A file that is no picture that may be decoded. The message tells the rule that is broken and
 * nothing of the file; for the same reason it has no cause.
 */
public final class UnfitImageException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  public UnfitImageException(String problem) {
    super(problem);
  }

  /** What is wrong, as the end of a sentence about the file. */
  public String problem() {
    return String.valueOf(getMessage());
  }
}
