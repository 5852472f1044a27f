package io.mutune.trainer.gradient;

import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.SoftmaxLoss;

import io.mutune.trainer.data.PrivateRows;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One step's clipped sum of a softmax model. Set {@code OMP_NUM_THREADS} to the number of threads
 * that is to be measured.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ClippedSumBenchmark {
  /** rows x features x classes. */
  @Param({"50000x1024x10", "60000x784x10", "8000x784x10", "30000x123x2"})
  String shape = "";

  @Param({"KERNEL", "ND4J", "REFERENCE"})
  Engine engine = Engine.REFERENCE;

  private ClippedSum clipped = new NothingOpen();
  private double[] weights = {};
  private double[] sum = {};

  @Setup(Level.Trial)
  public void open() {
    String[] sizes = shape.split("x", 3);
    int rows = Integer.parseInt(sizes[0]);
    int features = Integer.parseInt(sizes[1]);
    int classes = Integer.parseInt(sizes[2]);
    SplittableRandom random = new SplittableRandom(1);
    PrivateRows data =
        new PrivateRows(
            TestRows.blocks(
                TestRows.normalRows(random, rows, features),
                TestRows.labels(random, rows, classes)));
    weights = TestRows.weights(random, features * classes);
    sum = new double[weights.length];
    clipped = engine.open(data, new SoftmaxLoss(), classes, ClipNorm.of(1));
  }

  @Benchmark
  public double[] step() {
    clipped.compute(weights, sum);
    return sum;
  }

  @TearDown(Level.Trial)
  public void close() {
    clipped.close();
  }

  private static final class NothingOpen implements ClippedSum {
    @Override
    public void compute(double[] weights, double[] sum) {
      throw new IllegalStateException("nothing is open");
    }

    @Override
    public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
      throw new IllegalStateException("nothing is open");
    }

    @Override
    public void close() {}
  }
}
