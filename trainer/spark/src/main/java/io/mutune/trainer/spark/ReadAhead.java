package io.mutune.trainer.spark;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;

/**
 * Has the system read the part that an executor is given next, where that is on its disk, while the
 * one before is computed: Spark reads a part only when its task begins.
 */
final class ReadAhead {
  /** Reads one part at a time; of those that wait, only the last is of use. */
  private static final Executor READER =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(1),
          ReadAhead::thread,
          new ThreadPoolExecutor.DiscardOldestPolicy());

  private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(1 << 20);

  /** The stage that was begun last, and the part that was read ahead last in it. */
  private static int stage = -1;

  private static int furthest;

  private ReadAhead() {}

  /**
   * Starts it. Spark gives an executor the parts that it holds by their numbers, so that the next
   * one has not been read ahead yet, also where several tasks run at once.
   *
   * @param parts how many there are of the RDD
   */
  static synchronized void after(TaskContext task, int rdd, int parts) {
    int from = Math.max(task.partitionId(), stage == task.stageId() ? furthest : 0);
    stage = task.stageId();
    BlockManager blocks = SparkEnv.get().blockManager();
    for (furthest = from + 1; furthest < parts; furthest++) {
      RDDBlockId next = new RDDBlockId(rdd, furthest);
      if (blocks.memoryStore().contains(next)) {
        return;
      }
      if (blocks.diskBlockManager().containsBlock(next)) {
        File file = blocks.diskBlockManager().getFile(next);
        READER.execute(() -> read(file));
        return;
      }
    }
  }

  private static Thread thread(Runnable reading) {
    Thread thread = new Thread(reading, "read-ahead");
    thread.setDaemon(true);
    return thread;
  }

  private static void read(File file) {
    try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
      while (channel.read(BUFFER) >= 0) {
        BUFFER.clear();
      }
    } catch (IOException e) {
      // Whoever needs the part reads it again, and tells.
    }
  }
}
