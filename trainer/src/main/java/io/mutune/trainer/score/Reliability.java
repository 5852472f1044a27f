package io.mutune.trainer.score;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Whether probabilities are frequencies: rows by the probability that a model gave to an event, in
 * {@value #BINS} equal bins, and how often it came true.
 */
public record Reliability(List<Bin> bins) {
  /** Fixed, so that no row decides where a bin ends. */
  public static final int BINS = 10;

  private static final int DRAWS = 1000;

  public Reliability {
    bins = List.copyOf(bins);
  }

  /**
   * The rows of a bin.
   *
   * @param said the mean probability; 0 without rows
   * @param came of how many the event came true
   */
  public record Bin(long rows, double said, long came) {
    /** How often it came true; 1/2, and anything from 0 to 1, where there are no rows. */
    public Estimate frequency() {
      return rows == 0 ? new Estimate(0.5, 0, 1) : Estimate.ofShare(came, rows);
    }
  }

  /**
   * @param probabilities in [0, 1]
   * @param came whether the event of the same index did
   */
  static Reliability of(double[] probabilities, boolean[] came) {
    long[] rows = new long[BINS];
    long[] hits = new long[BINS];
    double[] said = new double[BINS];
    for (int i = 0; i < came.length; i++) {
      int bin = Math.min(BINS - 1, (int) (BINS * probabilities[i]));
      rows[bin]++;
      hits[bin] += came[i] ? 1 : 0;
      said[bin] += probabilities[i];
    }
    List<Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < BINS; bin++) {
      bins.add(new Bin(rows[bin], said[bin] / Math.max(1, rows[bin]), hits[bin]));
    }
    return new Reliability(bins);
  }

  /**
   * The expected calibration error: the mean over all rows of how far what is said in their bin is
   * from what comes true there.
   */
  public double error() {
    double sum = 0;
    for (Bin bin : bins) {
      sum += Math.abs(bin.rows() * bin.said() - bin.came());
    }
    return sum / Math.max(1, rows());
  }

  /**
   * The same with its interval: that of 95% of {@value #DRAWS} draws of the rows from themselves
   * (the bootstrap), and the same turned round the value, since by chance alone the error of a draw
   * is greater than that of what it is drawn from. The draws are the same for the same figures.
   */
  public Estimate errorInterval() {
    RandomGenerator random = new SplittableRandom(1);
    double[] drawn = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      double sum = 0;
      double all = 0;
      for (Bin bin : bins) {
        double came = moved((double) bin.came(), random);
        double missed = moved((double) bin.rows() - bin.came(), random);
        sum += Math.abs((came + missed) * bin.said() - came);
        all += came + missed;
      }
      drawn[i] = sum / Math.max(1, all);
    }
    return Estimate.ofDraws(error(), drawn);
  }

  /** About what a count of independent rows is in another draw. */
  private static double moved(double count, RandomGenerator random) {
    return Math.max(0, count + Math.sqrt(count) * random.nextGaussian());
  }

  /**
   * About what {@link #error} is of so many rows by chance alone, where every probability is right:
   * the mean distance of a normal value of each bin's deviation.
   */
  public double errorByChance() {
    double sum = 0;
    for (Bin bin : bins) {
      sum += Math.sqrt(2 / Math.PI * bin.rows() * bin.said() * (1 - bin.said()));
    }
    return sum / Math.max(1, rows());
  }

  private long rows() {
    return bins.stream().mapToLong(Bin::rows).sum();
  }
}
