package io.mutune.trainer.spark;

import io.mutune.trainer.model.Cluster;
import io.mutune.trainer.model.PartSums;
import io.mutune.trainer.model.RowPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;

/**
 * A Spark application. Parts of rows are broadcast one by one, so that the driver can hand one out
 * again when an executor is lost, and kept by the executors in memory, then on disk.
 */
final class SparkCluster implements Cluster {
  /** Each part of a step costs about 10 ms beside its sum. */
  private static final long PART_BYTES = 128L << 20;

  private static final long ANSWER_SECONDS = 120;

  private final JavaSparkContext context;
  private final ExecutorWatch watch;

  /**
   * @param patience how long a step waits where there is no executor at all
   */
  SparkCluster(JavaSparkContext context, Duration patience) {
    this.context = context;
    watch = new ExecutorWatch(context, patience);
  }

  /**
   * Waits until an executor has done something.
   *
   * @throws IOException if none has in two minutes
   */
  void requireExecutor(String master) throws IOException {
    try {
      context
          .parallelize(List.of(1), 1)
          .map(one -> one + 1)
          .collectAsync()
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s: no executor has answered in %d seconds".formatted(master, ANSWER_SECONDS), e);
    } catch (ExecutionException | IllegalStateException e) {
      throw new IOException(master + ": " + Failures.line(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(master + ": interrupted", e);
    }
  }

  @Override
  public String description() {
    return "Apache Spark " + context.version();
  }

  @Override
  public int parts(long bytes) {
    int cores = context.defaultParallelism();
    return Math.toIntExact(Math.multiplyExact(bytes / PART_BYTES / cores + 1, (long) cores));
  }

  @Override
  public Rows hold(int parts, IntFunction<RowPart> part) {
    List<Broadcast<RowPart>> sent = new ArrayList<>();
    for (int number = 0; number < parts; number++) {
      sent.add(context.broadcast(part.apply(number)));
    }
    JavaRDD<RowPart> rows =
        context
            .parallelize(sent, parts)
            .map(Broadcast::value)
            .persist(StorageLevel.MEMORY_AND_DISK());
    asked(rows::count);
    // Executors have them now as their own; the driver keeps one for who comes in another's place.
    sent.forEach(copy -> copy.unpersist(false));
    return sums -> asked(() -> add(rows, sums));
  }

  private static long[] add(JavaRDD<RowPart> rows, PartSums sums) {
    return rows.map(sums::of).treeReduce(SparkCluster::added);
  }

  private static long[] added(long[] all, long[] more) {
    for (int i = 0; i < all.length; i++) {
      all[i] += more[i];
    }
    return all;
  }

  private interface Job<T> {
    T run() throws SparkException;
  }

  private <T> T asked(Job<T> job) {
    watch.busy(true);
    try {
      return job.run();
    } catch (SparkException | IllegalStateException e) {
      String why = watch.why().isEmpty() ? Failures.line(e) : watch.why();
      throw new UncheckedIOException(new IOException("the Spark cluster has failed: " + why, e));
    } finally {
      watch.busy(false);
    }
  }

  @Override
  public void close() {
    watch.close();
    context.close();
  }
}
