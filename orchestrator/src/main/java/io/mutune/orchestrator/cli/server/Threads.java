package io.mutune.orchestrator.cli.server;

import io.mutune.orchestrator.cli.command.UsageException;

/** How many trials a process runs at once. */
final class Threads {
  private static final int MOST = 256;

  private Threads() {}

  static int checked(int threads, int least) {
    if (threads < least || threads > MOST) {
      throw new UsageException(
          "--threads must be between %d and %d; was %d".formatted(least, MOST, threads));
    }
    return threads;
  }
}
