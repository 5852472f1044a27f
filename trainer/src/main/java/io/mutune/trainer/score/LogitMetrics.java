package io.mutune.trainer.score;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What logits tell of rows beyond the class that they choose. */
final class LogitMetrics {
  /** Scores that are held at a time; the rows are gone over again for further classes. */
  private static final long MOST_SCORES = 20_000_000;

  /** Of a slot without a row. */
  private static final double[] NONE = {};

  private final LinearModel model;
  private final Loss loss;
  private final RowBlocks rows;
  private final int[] counts;

  /**
   * @param loss that the model was trained by
   * @param counts rows of each class
   */
  LogitMetrics(LinearModel model, Loss loss, RowBlocks rows, int[] counts) {
    this.model = model;
    this.loss = loss.unweighted();
    this.rows = rows;
    this.counts = counts.clone();
  }

  /** Takes a row that has a class. */
  private interface Taker {
    void take(double[] logits, int label);
  }

  private void forEach(Taker taker) {
    for (RowBlocks.Block block : rows.blocks()) {
      double[][] logits =
          IntStream.range(0, block.rows())
              .parallel()
              .mapToObj(
                  i ->
                      block.labels()[i] < 0
                          ? NONE
                          : LogOdds.finite(model.scores(block.features(), i * model.features())))
              .toArray(double[][]::new);
      for (int i = 0; i < logits.length; i++) {
        int label = block.labels()[i];
        if (label >= 0 && label < counts.length) {
          taker.take(logits[i], label);
        }
      }
    }
  }

  /** Of each class against the rest; empty of one that has no rows, or all. */
  List<Optional<Ranking>> rankings() {
    List<Optional<Ranking>> rankings = new ArrayList<>();
    int all = Arrays.stream(counts).sum();
    int together = (int) Math.max(1, MOST_SCORES / Math.max(1, all));
    for (int from = 0; from < counts.length; from += together) {
      int to = Math.min(counts.length, from + together);
      double[][] of = new double[counts.length][];
      double[][] others = new double[counts.length][];
      for (int c = from; c < to; c++) {
        of[c] = new double[counts[c]];
        others[c] = new double[all - counts[c]];
      }
      fill(of, others, from, to);
      for (int c = from; c < to; c++) {
        boolean both = of[c].length > 0 && others[c].length > 0;
        rankings.add(both ? Optional.of(Ranking.of(of[c], others[c])) : Optional.empty());
      }
    }
    return rankings;
  }

  private void fill(double[][] of, double[][] others, int from, int to) {
    int[] ofNext = new int[counts.length];
    int[] othersNext = new int[counts.length];
    forEach(
        (logits, label) -> {
          for (int c = from; c < to; c++) {
            double score = LogOdds.of(logits, c, loss.link());
            if (c == label) {
              of[c][ofNext[c]++] = score;
            } else {
              others[c][othersNext[c]++] = score;
            }
          }
        });
  }

  /** Empty where the loss knows no probabilities: by the loss alone, whatever the rows are. */
  Optional<Probabilities> probabilities() {
    int all = Arrays.stream(counts).sum();
    if (loss.link() == Link.NONE) {
      return Optional.empty();
    }
    double[] sums = new double[2];
    double[] most = {all == 1 ? 0 : Double.POSITIVE_INFINITY};
    double[] said = new double[all];
    boolean[] came = new boolean[all];
    int[] next = new int[1];
    forEach(
        (logits, label) -> {
          double lost = loss.value(logits, label);
          sums[0] += lost;
          sums[1] += lost * lost;
          for (int c = 0; all == 1 && c < counts.length; c++) {
            most[0] = Math.max(most[0], loss.value(logits, c));
          }
          int event = counts.length == 2 ? 1 : LinearModel.classOf(logits);
          said[next[0]] = Math.exp(-loss.value(logits, event));
          came[next[0]++] = event == label;
        });
    double baseline = 0;
    for (int count : counts) {
      baseline -= count == 0 ? 0 : (double) count / all * Math.log((double) count / all);
    }
    return Optional.of(
        new Probabilities(
            Estimate.ofMean(sums[0], sums[1], Math.max(1, all), most[0]),
            baseline,
            Reliability.of(said, came)));
  }
}
