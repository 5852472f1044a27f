package io.mutune.trainer.spark;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.JoinedRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.data.RowPiece;
import io.mutune.trainer.noise.RowBuckets;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Rows that executors read, a file a task, and shuffle to the parts of their buckets. What the
 * shuffle has written stays on the executors' disks, encrypted, as long as this is there: jobs that
 * are asked seldom read it again, and parts that are kept and lost are made from it. What is lost
 * of it is read from the files once more.
 */
final class ReadRows implements ClusterRows {
  private final SparkCluster cluster;
  private final RowFiles files;
  private final RowBuckets buckets;
  private final int parts;
  private final JavaPairRDD<Integer, RowPiece> pieces;

  /**
   * @param parts of whole buckets
   * @param encoders those of the files' texts
   */
  ReadRows(
      SparkCluster cluster,
      JavaSparkContext context,
      RowFiles files,
      RowBuckets buckets,
      int parts,
      SentEncoders encoders) {
    this.cluster = cluster;
    this.files = files;
    this.buckets = buckets;
    this.parts = parts;
    List<Integer> numbers = IntStream.range(0, files.count()).boxed().toList();
    Arithmetic ofDriver = Arithmetic.here();
    pieces =
        context
            .parallelize(numbers, files.count())
            .flatMapToPair(
                file -> {
                  ofDriver.require();
                  return new PulledPieces(files, file, buckets, parts, encoders);
                })
            // A number is its own hash. After the parts comes one of what did not fit.
            .partitionBy(new HashPartitioner(parts + 1));
  }

  @Override
  public int columns() {
    return files.columns();
  }

  @Override
  public boolean haveUnits() {
    return files.haveUnits();
  }

  @Override
  public RowBuckets buckets() {
    return buckets;
  }

  @Override
  public long unfit() {
    return cluster.asked(
        () -> {
          long all = 0;
          for (Tuple2<Integer, RowPiece> told : pieces.collectPartitions(new int[] {parts})[0]) {
            told._2().check();
            all += told._2().unfit();
          }
          return all;
        });
  }

  @Override
  public long[] add(Job<RowBlocks> job) {
    return sum(made(files, job::of), answer -> answer);
  }

  @Override
  public <T extends Serializable> Kept<T> keep(Making<T> making) {
    JavaRDD<T> kept = made(files, making).persist(StorageLevel.MEMORY_AND_DISK());
    return job -> sum(kept, job);
  }

  private <T extends Serializable> JavaRDD<T> made(RowFiles of, Making<T> making) {
    Arithmetic ofDriver = Arithmetic.here();
    return pieces.mapPartitions(
        ofPart -> {
          ofDriver.require();
          JoinedRows joined = of.join();
          ofPart.forEachRemaining(piece -> joined.take(piece._2()));
          return List.of(making.of(joined.blocks())).iterator();
        },
        true);
  }

  private <T> long[] sum(JavaRDD<T> ofParts, Job<T> job) {
    return cluster.asked(() -> PartAnswers.sum(ofParts, job));
  }
}
