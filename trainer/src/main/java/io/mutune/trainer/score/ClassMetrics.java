package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.LinearModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Figures of a model of classes.
 *
 * @param confusion rows by their class, then by the one that the model says; empty where there are
 *     more than {@value #MOST_CLASSES} classes
 * @param classes by class index
 */
public record ClassMetrics(long rows, List<List<Long>> confusion, List<OfClass> classes)
    implements TestMetrics {
  /** A matrix of more cells than these is nothing to look at. */
  static final int MOST_CLASSES = 100;

  public ClassMetrics {
    confusion = List.copyOf(confusion);
    classes = List.copyOf(classes);
  }

  /**
   * Of one class.
   *
   * @param right rows of it that the model calls so
   * @param rows of it
   * @param said rows that the model calls so
   */
  public record OfClass(long right, long rows, long said) {
    /** Of the rows that the model calls so, the share that is; 0 where it calls none so. */
    public double precision() {
      return said == 0 ? 0 : (double) right / said;
    }

    /** Of its rows, the share that the model calls so; 0 where it has none. */
    public double recall() {
      return rows == 0 ? 0 : (double) right / rows;
    }

    /** The harmonic mean of both; 0 where nothing is right. */
    public double f1() {
      return right == 0 ? 0 : 2.0 * right / (rows + said);
    }
  }

  static ClassMetrics of(LinearModel model, RowBlocks blocks) {
    int count = ClassCounts.classes(model);
    long[] right = new long[count];
    long[] actual = new long[count];
    long[] said = new long[count];
    long[][] matrix = new long[count <= MOST_CLASSES ? count : 0][count];
    for (RowBlocks.Block block : blocks.blocks()) {
      int[] predicted =
          IntStream.range(0, block.rows())
              .parallel()
              .map(i -> model.predict(block.features(), i * model.features()))
              .toArray();
      for (int i = 0; i < predicted.length; i++) {
        int label = block.labels()[i];
        if (label >= 0 && label < count) {
          right[label] += predicted[i] == label ? 1 : 0;
          actual[label]++;
          said[predicted[i]]++;
          if (matrix.length > 0) {
            matrix[label][predicted[i]]++;
          }
        }
      }
    }
    List<OfClass> classes = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      classes.add(new OfClass(right[c], actual[c], said[c]));
    }
    List<List<Long>> confusion = new ArrayList<>();
    for (long[] row : matrix) {
      confusion.add(IntStream.range(0, count).mapToObj(c -> row[c]).toList());
    }
    return new ClassMetrics(classes.stream().mapToLong(OfClass::rows).sum(), confusion, classes);
  }

  /** The share of rows that are right. */
  public Estimate accuracy() {
    return Estimate.ofShare(classes.stream().mapToLong(OfClass::right).sum(), Math.max(1, rows));
  }

  /** The mean recall of the classes that have rows. */
  public double balancedAccuracy() {
    return mean(classes.stream().filter(c -> c.rows() > 0).map(OfClass::recall).toList());
  }

  /** The mean F1 of the classes that have rows. */
  public double macroF1() {
    return mean(classes.stream().filter(c -> c.rows() > 0).map(OfClass::f1).toList());
  }

  /** The index of the class of most rows, the first one on a tie. */
  public int majority() {
    int most = 0;
    for (int c = 1; c < classes.size(); c++) {
      most = classes.get(c).rows() > classes.get(most).rows() ? c : most;
    }
    return most;
  }

  /** The accuracy of saying that class always. */
  public double baseline() {
    return (double) classes.get(majority()).rows() / Math.max(1, rows);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
