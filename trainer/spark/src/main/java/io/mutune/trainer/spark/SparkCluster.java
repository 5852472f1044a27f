package io.mutune.trainer.spark;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.RowPart;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderNetwork;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.EncoderRuntime;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/** A Spark application. */
final class SparkCluster implements Cluster {
  private static final long ANSWER_SECONDS = 120;

  /** The one that a task adds up, and the next, which is read from the disk meanwhile. */
  private static final int PARTS_OF_A_TASK = 2;

  /** Spark's own hook has 40, and those with more come first. */
  private static final int BEFORE_SPARKS = 100;

  /** More than a signal waits for a study to end. */
  private static final long MOST_SECONDS = 120;

  private static final double GIGABYTE = 1 << 30;

  private final JavaSparkContext context;
  private final long partBytes;
  private final ExecutorWatch watch;
  private final @Nullable Path executorFolders;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Those that are broadcast, by the digests of the encoders. */
  private final Map<String, Broadcast<EncoderNetwork>> networks = new HashMap<>();

  /**
   * @param executorFolders where executors have a folder by the name of the application, which is
   *     deleted at the end; null where that is not on this machine
   */
  SparkCluster(JavaSparkContext context, Settings settings, @Nullable Path executorFolders) {
    this.context = context;
    this.partBytes = settings.partBytes();
    this.executorFolders = executorFolders;
    watch = new ExecutorWatch(context, settings.patience());
  }

  /**
   * Has Spark wait, where a signal ends this process, until this is closed: it would end at once,
   * and a step with it that is to be kept.
   *
   * @param isClosed whether somebody will close it
   */
  void outliveSignals(BooleanSupplier isClosed) {
    ShutdownHookManager.get()
        .addShutdownHook(
            () -> {
              if (isClosed.getAsBoolean()) {
                awaitClosed();
              }
            },
            BEFORE_SPARKS,
            MOST_SECONDS,
            TimeUnit.SECONDS);
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it took too long
    }
  }

  /**
   * Waits until an executor has done something.
   *
   * @throws IOException if none has in two minutes, or one computes otherwise than this process
   */
  void requireExecutor(String master) throws IOException {
    Arithmetic ofDriver = Arithmetic.here();
    JavaRDD<Integer> one =
        context
            .parallelize(List.of(1), 1)
            .map(
                number -> {
                  ofDriver.require();
                  return number + 1;
                });
    try {
      // Spark's own way of not waiting prints a stack trace where a signal stops it meanwhile.
      CompletableFuture.supplyAsync(one::collect).get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s: no executor has answered in %d seconds".formatted(master, ANSWER_SECONDS), e);
    } catch (ExecutionException | RuntimeException e) {
      if (!isOfSpark(e)) {
        throw (RuntimeException) e;
      }
      if (ShutdownHookManager.get().isShutdownInProgress()) {
        throw new IOException(master + ": interrupted", e);
      }
      String why =
          context.sc().isStopped()
              ? "its master does not answer or has given up: is it there, are master, workers and"
                  + " executors of Spark %s, and do its settings go together?"
                      .formatted(context.version())
              : Failures.line(e);
      throw new IOException(master + ": " + why, e);
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
    return Math.toIntExact(Math.multiplyExact(bytes / partBytes / cores + 1, (long) cores));
  }

  @Override
  public Rows hold(int parts, IntFunction<RowPart> part) {
    int together = HeldRows.together(context.defaultParallelism(), partBytes, RowFiles.room());
    HeldRows held = asked(() -> new HeldRows(context, parts, together, part));
    return sums -> asked(() -> held.add(sums));
  }

  /** As many parts as rows of that size are cut into elsewhere, but none without a bucket. */
  @Override
  public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
    SentEncoders encoders;
    try {
      encoders = sent(files.encoders());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int parts = parts(buckets, bytes);
    return asked(
        () -> {
          RowFiles placed = files.needCounts() ? files.with(counted(files)) : files;
          return new ReadRows(this, context, placed, buckets, parts, encoders);
        });
  }

  private List<RowFiles.Counted> counted(RowFiles files) throws SparkException {
    List<Integer> numbers = IntStream.range(0, files.count()).boxed().toList();
    Arithmetic ofDriver = Arithmetic.here();
    return context
        .parallelize(numbers, files.count())
        .map(
            file -> {
              ofDriver.require();
              return files.counted(file);
            })
        .collect();
  }

  private int parts(RowBuckets buckets, long bytes) {
    return Math.min(parts(bytes), buckets.count());
  }

  /** Has as many tasks as there are cores look at their memory and what they read with. */
  @Override
  public void check(RowFiles files, RowBuckets buckets, long bytes, double working)
      throws IOException {
    double part = PARTS_OF_A_TASK * (double) bytes / parts(buckets, bytes) + working;
    int together = tasksTogether();
    List<Integer> cores = IntStream.range(0, context.defaultParallelism()).boxed().toList();
    List<String> problems;
    try {
      SentEncoders encoders = sent(files.encoders());
      problems =
          asked(
              () ->
                  context
                      .parallelize(cores, cores.size())
                      .flatMap(
                          core -> problems(files, buckets, encoders, together, part).iterator())
                      .collect());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (!problems.isEmpty()) {
      throw new IOException(problems.get(0));
    }
  }

  /** How many tasks an executor has at a time, if all have as many. */
  private int tasksTogether() {
    SparkContext spark = context.sc();
    int all =
        spark
            .schedulerBackend()
            .maxNumConcurrentTasks(spark.resourceProfileManager().defaultResourceProfile());
    int executors = Math.max(1, spark.getExecutorIds().size());
    return Math.max(1, (all + executors - 1) / executors);
  }

  private static List<String> problems(
      RowFiles files, RowBuckets buckets, SentEncoders encoders, int tasks, double part) {
    List<String> problems = new ArrayList<>();
    try {
      double reading = files.bytesWhileRead(tasks, encoders);
      double needed = Math.max(reading, tasks * part);
      if (needed > RowFiles.room()) {
        problems.add(
            ("an executor has too little memory: %s, %d at a time, may take %.2f GB by public numbers,"
                    + " which has to fit into %.2f GB, a third of its heap: raise"
                    + " spark.executor.memory, or lower spark.executor.cores")
                .formatted(
                    needed > reading
                        ? "tasks that add up parts of the rows"
                        : "tasks that read files",
                    tasks,
                    needed / GIGABYTE,
                    RowFiles.room() / GIGABYTE));
      }
      files.requireReader(buckets);
    } catch (IOException e) {
      problems.add(e.getMessage());
    }
    problems.addAll(encoders.problems(files));
    return problems;
  }

  /** Broadcasts what has not been. */
  private synchronized SentEncoders sent(List<EncoderReference> encoders) throws IOException {
    if (encoders.isEmpty()) {
      return new SentEncoders(new HashMap<>(), "");
    }
    EncoderRuntime runtime = EncoderLibrary.runtime();
    if (networks.isEmpty()) {
      SparkProvider.jars(runtime.libraries()).forEach(context::addJar);
    }
    for (EncoderReference encoder : encoders) {
      if (!networks.containsKey(encoder.digest())) {
        EncoderNetwork network = EncoderLibrary.usual().network(encoder);
        networks.put(encoder.digest(), asked(() -> context.broadcast(network)));
      }
    }
    return new SentEncoders(new HashMap<>(networks), runtime.identity());
  }

  /** Something that Spark does. */
  interface Job<T> {
    T run() throws SparkException;
  }

  /**
   * What comes of it.
   *
   * @throws UncheckedIOException if it fails for good; in one line
   */
  <T> T asked(Job<T> job) {
    watch.begin();
    try {
      return job.run();
    } catch (SparkException | RuntimeException e) {
      if (!isOfSpark(e)) {
        throw (RuntimeException) e;
      }
      String line = Failures.line(e);
      String why =
          line.startsWith(RowFiles.UNREAD)
              ? line
              : "the Spark cluster has failed: " + (watch.why().isEmpty() ? line : watch.why());
      throw new UncheckedIOException(new IOException(why, e));
    } finally {
      watch.end();
    }
  }

  /** A context that is stopped meanwhile has lost what it would look at. */
  private boolean isOfSpark(Exception e) {
    return !(e instanceof RuntimeException)
        || e instanceof IllegalStateException
        || (context.sc().isStopped() && !(e instanceof UncheckedIOException));
  }

  @Override
  public void close() {
    watch.close();
    String application = context.sc().applicationId();
    try {
      context.close();
    } finally {
      if (executorFolders != null) {
        FileUtils.deleteQuietly(executorFolders.resolve(application).toFile());
      }
      closed.countDown();
    }
  }
}
