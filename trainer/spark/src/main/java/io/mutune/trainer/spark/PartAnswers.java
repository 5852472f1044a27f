package io.mutune.trainer.spark;

import io.mutune.trainer.data.ClusterRows.Job;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Range;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Adds up what each part of an RDD, of one element each, answers. Answers travel as bytes, which
 * Java serializes many times as fast as the numbers.
 */
final class PartAnswers {
  /**
   * So many parts answer the driver itself, more by a tree: what a job of {@code treeReduce} takes
   * of the driver, which reads the classes of its functions each time, is longer than to add them.
   */
  private static final int MOST_DIRECT = 8;

  private PartAnswers() {}

  /**
   * The sum.
   *
   * @throws SparkException if Spark gives up
   * @throws ArithmeticException if 64 bits cannot hold it: no sum rather than another one
   */
  static <T> long[] sum(JavaRDD<T> parts, Job<T> answer) throws SparkException {
    int count = parts.getNumPartitions();
    Answer<T> ofPart = new Answer<>(answer, parts.id(), count);
    if (count > MOST_DIRECT) {
      return numbers(parts.mapPartitions(ofPart).treeReduce(PartAnswers::added));
    }
    Total total = new Total();
    parts
        .context()
        .runJob(
            parts.rdd(),
            ofPart,
            new Range.Exclusive(0, count, 1),
            total,
            ClassTag$.MODULE$.<byte[]>apply(byte[].class));
    return total.sum();
  }

  private static byte[] added(byte[] all, byte[] more) {
    long[] sum = numbers(all);
    add(sum, more);
    return bytes(sum);
  }

  private static void add(long[] all, byte[] more) {
    LongBuffer numbers = view(more);
    for (int i = 0; i < all.length; i++) {
      all[i] = Math.addExact(all[i], numbers.get(i));
    }
  }

  private static byte[] bytes(long[] numbers) {
    byte[] bytes = new byte[Math.multiplyExact(numbers.length, Long.BYTES)];
    view(bytes).put(numbers);
    return bytes;
  }

  private static long[] numbers(byte[] bytes) {
    long[] numbers = new long[bytes.length / Long.BYTES];
    view(bytes).get(numbers);
    return numbers;
  }

  private static LongBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
  }

  /** No lambda, of which Spark would read the class in each job. */
  private static final class Answer<T> extends AbstractFunction2<TaskContext, Iterator<T>, byte[]>
      implements FlatMapFunction<java.util.Iterator<T>, byte[]> {
    private static final long serialVersionUID = 1;

    private final Arithmetic ofDriver = Arithmetic.here();
    private final Job<T> answer;
    private final int rdd;
    private final int parts;

    Answer(Job<T> answer, int rdd, int parts) {
      this.answer = answer;
      this.rdd = rdd;
      this.parts = parts;
    }

    @Override
    public byte[] apply(TaskContext task, Iterator<T> part) {
      ofDriver.require();
      return of(part.next());
    }

    @Override
    public java.util.Iterator<byte[]> call(java.util.Iterator<T> part) {
      ofDriver.require();
      return List.of(of(part.next())).iterator();
    }

    private byte[] of(T part) {
      ReadAhead.after(TaskContext.get(), rdd, parts);
      return bytes(answer.of(part));
    }
  }

  /** Called by one thread at a time. */
  private static final class Total extends AbstractFunction2<Object, byte[], BoxedUnit> {
    private long @Nullable [] sum;

    @Override
    public BoxedUnit apply(Object part, byte[] more) {
      if (sum == null) {
        sum = numbers(more);
      } else {
        add(sum, more);
      }
      return BoxedUnit.UNIT;
    }

    long[] sum() {
      if (sum == null) {
        throw new IllegalStateException("no part has answered");
      }
      return sum;
    }
  }
}
