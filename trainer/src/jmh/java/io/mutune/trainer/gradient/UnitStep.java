package io.mutune.trainer.gradient;

import io.mutune.trainer.loss.SoftmaxLoss;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.noise.RowOrders;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How much longer a step takes with people of some rows than with rows: steps of both in turns, the
 * ratio of the times that a twentieth of them stays below, on which other load has least say.
 * Arguments: rows of a person, then shapes as rows x features x classes.
 */
public final class UnitStep {
  private static final int STEPS = 300;

  private UnitStep() {}

  /** Prints a line a shape. */
  public static void main(String[] arguments) {
    int size = Integer.parseInt(arguments[0]);
    for (String shape : Arrays.asList(arguments).subList(1, arguments.length)) {
      int[] sizes = Arrays.stream(shape.split("x", 3)).mapToInt(Integer::parseInt).toArray();
      measure(shape, size, sizes[0], sizes[1], sizes[2]);
    }
  }

  private static void measure(String shape, int size, int rows, int features, int classes) {
    SplittableRandom random = new SplittableRandom(1);
    RowBlocks blocks =
        TestRows.blocks(
            TestRows.normalRows(random, rows, features), TestRows.labels(random, rows, classes));
    int[] unitOf = new int[rows];
    Arrays.setAll(unitOf, row -> row / size);
    double[] weights = TestRows.weights(random, features * classes);
    double[] sum = new double[weights.length];
    ClippedSums engine = Engine.KERNEL.sums(RowOrders.seeded(1));
    ClipNorm clip = ClipNorm.of(1);
    PrivateRows people = new PrivateRows(blocks.withUnits(RowUnits.of(unitOf)));
    try (ClippedSum one = engine.open(new PrivateRows(blocks), new SoftmaxLoss(), classes, clip);
        ClippedSum of = engine.open(people, new SoftmaxLoss(), classes, clip)) {
      double[][] times = new double[2][STEPS];
      for (int step = -STEPS; step < STEPS; step++) {
        double first = seconds(one, weights, sum);
        double second = seconds(of, weights, sum);
        if (step >= 0) {
          times[0][step] = first;
          times[1][step] = second;
        }
      }
      Arrays.sort(times[0]);
      Arrays.sort(times[1]);
      double ofRows = times[0][STEPS / 20];
      double ofPeople = times[1][STEPS / 20];
      System.out.printf(
          "%s: rows %.2f ms, people of %d rows %.2f ms, ratio %.3f%n",
          shape, ofRows * 1e3, size, ofPeople * 1e3, ofPeople / ofRows);
    }
  }

  private static double seconds(ClippedSum clipped, double[] weights, double[] sum) {
    long start = System.nanoTime();
    clipped.compute(weights, sum);
    return (System.nanoTime() - start) / 1e9;
  }
}
