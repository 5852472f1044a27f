package io.mutune.trainer.spark;

import io.mutune.trainer.gradient.PartSums;
import io.mutune.trainer.gradient.RowPart;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.BlockManagerMaster;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;

/**
 * Parts of rows that executors keep in memory, then on disk. They are broadcast some at a time, one
 * for each core where the driver has memory for it, and the driver keeps none: it makes those again
 * that are lost with an executor.
 */
final class HeldRows {
  private static final int MOST_LOSSES = 50;

  /** Of a part on its way: itself, and as bytes. */
  private static final int COPIES = 2;

  /** Of the room for rows, a third of the heap: the rest is for rows and their copy in order. */
  private static final int SHARE = 2;

  private final JavaSparkContext context;
  private final int together;
  private final IntFunction<RowPart> part;
  private final Sent sent = new Sent();
  private final JavaRDD<RowPart> rows;

  /** Parts on their way. A job takes those along that are here when it starts. */
  private static final class Sent implements Function<Integer, RowPart> {
    private static final long serialVersionUID = 1;
    private static final String LOST = "a part of the rows is lost";

    private final Arithmetic ofDriver = Arithmetic.here();
    private final Map<Integer, Broadcast<RowPart>> parts = new HashMap<>();

    @Override
    public RowPart call(Integer number) {
      ofDriver.require();
      Broadcast<RowPart> broadcast = parts.get(number);
      if (broadcast == null) {
        throw new IllegalStateException(LOST);
      }
      return broadcast.value();
    }
  }

  /**
   * Hands all of them over.
   *
   * @param together how many at a time
   * @param part makes one, now and whenever it is lost
   */
  HeldRows(JavaSparkContext context, int parts, int together, IntFunction<RowPart> part)
      throws SparkException {
    this.context = context;
    this.together = together;
    this.part = part;
    List<Integer> numbers = IntStream.range(0, parts).boxed().toList();
    rows = context.parallelize(numbers, parts).map(sent).persist(StorageLevel.MEMORY_AND_DISK());
    handOver(IntStream.range(0, parts).toArray());
  }

  /**
   * How many parts to hand over at a time, by public numbers.
   *
   * @param partBytes of the largest
   * @param room for rows in this process
   */
  static int together(int cores, long partBytes, long room) {
    return (int) Math.max(1, Math.min(cores, room / SHARE / (COPIES * partBytes)));
  }

  private void handOver(int[] numbers) throws SparkException {
    for (int from = 0; from < numbers.length; from += together) {
      int[] some = Arrays.copyOfRange(numbers, from, Math.min(numbers.length, from + together));
      try {
        for (int number : some) {
          sent.parts.put(number, context.broadcast(part.apply(number)));
        }
        rows.map(held -> true).collectPartitions(some);
      } finally {
        sent.parts.values().forEach(Broadcast::destroy);
        sent.parts.clear();
      }
    }
  }

  /**
   * What all parts add.
   *
   * @throws SparkException if Spark gives up
   */
  long[] add(PartSums sums) throws SparkException {
    for (int losses = 0; ; losses++) {
      try {
        return PartAnswers.sum(rows, sums::of);
      } catch (SparkException e) {
        int[] lost = lost();
        boolean asked = lost.length > 0 || Failures.line(e).equals(Sent.LOST);
        if (!asked || losses == MOST_LOSSES) {
          throw e;
        }
        handOver(lost);
      }
    }
  }

  private int[] lost() {
    BlockManagerMaster master = context.sc().env().blockManager().master();
    return IntStream.range(0, rows.getNumPartitions())
        .filter(number -> master.getLocations(new RDDBlockId(rows.id(), number)).isEmpty())
        .toArray();
  }
}
