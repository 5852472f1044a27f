package io.mutune.trainer.spark;

import io.mutune.trainer.data.ClusterRows.Job;
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

/** Adds up what each part of an RDD, of one element each, answers. */
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
      return parts.mapPartitions(ofPart).treeReduce(PartAnswers::added);
    }
    Total total = new Total();
    parts
        .context()
        .runJob(
            parts.rdd(),
            ofPart,
            new Range.Exclusive(0, count, 1),
            total,
            ClassTag$.MODULE$.<long[]>apply(long[].class));
    return total.sum();
  }

  private static long[] added(long[] all, long[] more) {
    for (int i = 0; i < all.length; i++) {
      all[i] = Math.addExact(all[i], more[i]);
    }
    return all;
  }

  /** No lambda, of which Spark would read the class in each job. */
  private static final class Answer<T> extends AbstractFunction2<TaskContext, Iterator<T>, long[]>
      implements FlatMapFunction<java.util.Iterator<T>, long[]> {
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
    public long[] apply(TaskContext task, Iterator<T> part) {
      ofDriver.require();
      return of(part.next());
    }

    @Override
    public java.util.Iterator<long[]> call(java.util.Iterator<T> part) {
      ofDriver.require();
      return List.of(of(part.next())).iterator();
    }

    private long[] of(T part) {
      ReadAhead.after(TaskContext.get(), rdd, parts);
      return answer.of(part);
    }
  }

  /** Called by one thread at a time. */
  private static final class Total extends AbstractFunction2<Object, long[], BoxedUnit> {
    private long @Nullable [] sum;

    @Override
    public BoxedUnit apply(Object part, long[] more) {
      sum = sum == null ? more : added(sum, more);
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
