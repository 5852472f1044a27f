package io.mutune.orchestrator.cli.run;

import io.mutune.trainer.data.RowListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Shows how many rows of a file are done, for whoever holds it: from half a second after the first
 * on, so that what is done at once leaves no line, and then at most ten times a second, so that it
 * costs nothing where rows are read by the million.
 */
final class ReadingBar implements RowListener {
  private static final long FIRST_NANOS = 500_000_000;
  private static final long BETWEEN_NANOS = 100_000_000;

  private final LongConsumer shown;
  private final LongSupplier nanoTime;
  private final AtomicLong done = new AtomicLong();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicLong due = new AtomicLong();

  /**
   * @param shown takes how many are done; on the thread of the row
   */
  ReadingBar(LongConsumer shown, LongSupplier nanoTime) {
    this.shown = shown;
    this.nanoTime = nanoTime;
  }

  @Override
  public void row() {
    long now = nanoTime.getAsLong();
    long count = done.incrementAndGet();
    if (!begun.get() && begun.compareAndSet(false, true)) {
      due.set(now + FIRST_NANOS);
    }
    long next = due.get();
    if (now - next >= 0 && due.compareAndSet(next, now + BETWEEN_NANOS)) {
      shown.accept(count);
    }
  }

  /** Those are shown with the first that was not kept. */
  @Override
  public void kept() {
    done.incrementAndGet();
  }
}
