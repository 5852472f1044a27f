package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Figures of a model of classes.
 *
 * @param confusion rows by their class, then by the one that the model says; empty where there are
 *     more than {@value #MOST_CLASSES} classes
 * @param classes by class index
 * @param rankings likewise, of each class against the rest; empty for a class that has no rows, or
 *     all; none at all where there are more than {@value #MOST_CLASSES} classes
 * @param probabilities where the model's loss knows any
 */
public record ClassMetrics(
    long rows,
    List<List<Long>> confusion,
    List<OfClass> classes,
    List<Optional<Ranking>> rankings,
    Optional<Probabilities> probabilities)
    implements TestMetrics {
  /** A matrix of more cells than these is nothing to look at. */
  static final int MOST_CLASSES = 100;

  public ClassMetrics {
    confusion = List.copyOf(confusion);
    classes = List.copyOf(classes);
    rankings = List.copyOf(rankings);
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

  /** How many classes a model tells apart. */
  static int classes(LinearModel model) {
    return Math.max(2, model.columns());
  }

  static ClassMetrics of(LinearModel model, Loss loss, RowBlocks blocks) {
    int count = classes(model);
    long[] right = new long[count];
    long[] actual = new long[count];
    long[] said = new long[count];
    long[][] matrix = new long[count <= MOST_CLASSES ? count : 0][count];
    for (RowBlocks.Block block : blocks.blocks()) {
      int[] predicted =
          IntStream.range(0, block.rows())
              .parallel()
              .map(
                  i ->
                      block.labels()[i] < 0
                          ? 0
                          : model.predict(block.features(), i * model.features()))
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
    LogitMetrics scores =
        new LogitMetrics(
            model, loss, blocks, Arrays.stream(actual).mapToInt(Math::toIntExact).toArray());
    return new ClassMetrics(
        Arrays.stream(actual).sum(),
        confusion,
        classes,
        count <= MOST_CLASSES ? scores.rankings() : List.of(),
        scores.probabilities());
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

  /** The mean ranking of the classes that have one. */
  public Optional<Ranking> macroRanking() {
    List<Ranking> known = rankings.stream().flatMap(Optional::stream).toList();
    return known.isEmpty() ? Optional.empty() : Optional.of(Ranking.mean(known));
  }

  /** The average precision of scores that tell nothing, over the same classes. */
  public double rankingBaseline() {
    List<Double> shares = new ArrayList<>();
    for (int c = 0; c < rankings.size(); c++) {
      if (rankings.get(c).isPresent()) {
        shares.add(share(c));
      }
    }
    return mean(shares);
  }

  /** Of all rows those of this class. */
  public double share(int c) {
    return (double) classes.get(c).rows() / Math.max(1, rows);
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
    return share(majority());
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
