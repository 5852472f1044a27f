package io.mutune.trainer.spark;

import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.data.RowPiece;
import io.mutune.trainer.network.EncoderFailedException;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The pieces of a file as Spark pulls them, each with the number of its part. A thread of its own
 * reads a few of them ahead, so that no file is in memory as a whole; it ends with the task. That a
 * file cannot be read is told to every part in place of its rest: Spark would have it read again
 * and again.
 */
final class PulledPieces implements Iterator<Tuple2<Integer, RowPiece>> {
  private static final int AHEAD = 8;

  private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(AHEAD);
  private @Nullable Step next;

  /** A piece, or the end without one: for a reason or for none. */
  private record Step(@Nullable Tuple2<Integer, RowPiece> piece, @Nullable Throwable failure) {}

  /** Starts to read. Called within a task. */
  PulledPieces(RowFiles files, int file, RowBuckets buckets, int parts, Encoders known) {
    Thread reader =
        new Thread(() -> readUntilEnded(files, file, buckets, parts, known), "row-reader");
    reader.setDaemon(true);
    TaskContext.get()
        .addTaskCompletionListener((TaskCompletionListener) task -> reader.interrupt());
    reader.start();
  }

  private void readUntilEnded(
      RowFiles files, int file, RowBuckets buckets, int parts, Encoders known) {
    try {
      read(files, file, buckets, parts, known);
    } catch (CancellationException e) {
      // The task has ended. An executor would end with a thread that fails.
    }
  }

  private void read(RowFiles files, int file, RowBuckets buckets, int parts, Encoders known) {
    Throwable failure = null;
    try {
      files.read(
          file,
          buckets,
          parts,
          known,
          (part, piece) -> put(new Step(new Tuple2<>(part, piece), null)));
    } catch (EncoderFailedException e) {
      failure = new UncheckedIOException(e); // of this machine: another one may do it
    } catch (IOException e) {
      RowPiece problem = RowPiece.ofProblem(file, String.valueOf(e.getMessage()));
      for (int part = 0; part <= parts; part++) {
        put(new Step(new Tuple2<>(part, problem), null));
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    if (!Thread.currentThread().isInterrupted()) {
      put(new Step(null, failure));
    }
  }

  private void put(Step step) {
    try {
      steps.put(step);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("nobody waits for this file any more");
    }
  }

  private Step step() {
    if (next == null) {
      try {
        next = steps.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    return next;
  }

  @Override
  public boolean hasNext() {
    Throwable failure = step().failure();
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException(failure.getMessage(), failure);
    }
    return step().piece() != null;
  }

  @Override
  public Tuple2<Integer, RowPiece> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<Integer, RowPiece> piece = step().piece();
    next = null;
    if (piece == null) {
      throw new NoSuchElementException();
    }
    return piece;
  }
}
