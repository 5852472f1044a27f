package io.mutune.orchestrator.study;

import java.io.IOException;

/** That other studies of this process hold the memory that a study needs: it may be tried again. */
public final class NoRoomException extends IOException {
  private static final long serialVersionUID = 1;

  NoRoomException() {
    super("waits until other studies leave it room in memory");
  }
}
