package io.mutune.trainer.score;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Figures of how sure a model is of each class, from noisy counts of {@link Counts#bins}: nothing
 * here reads a row. The interval of each is what the bins, the noise, and the choice of the rows
 * from their population leave with 95%.
 *
 * @param units the public number of units
 * @param sigma σ of the noise in every count
 * @param classes of the model
 * @param cells the noisy counts
 */
public record NoisyBinMetrics(PublicUnits units, double sigma, int classes, List<Double> cells) {
  /** Of the bins, in order, whose ends are public. */
  public static final int BINS = LogOdds.BINS;

  /** Draws of noise by which an average precision is judged. */
  private static final int DRAWS = 400;

  public NoisyBinMetrics {
    cells = List.copyOf(cells);
  }

  /** What follows from released counts. */
  public static NoisyBinMetrics of(
      PublicUnits units, double sigma, int classes, double[] released) {
    return new NoisyBinMetrics(units, sigma, classes, Arrays.stream(released).boxed().toList());
  }

  /**
   * The rows of a bin.
   *
   * @param low the least probability that the model gave to the class
   * @param high the greatest
   * @param rows a noisy count
   * @param frequency how many of them are of the class
   */
  public record Bin(double low, double high, double rows, Estimate frequency) {}

  /** The classes that have a histogram: the second of two, or each against the rest. */
  public List<Integer> histograms() {
    return classes == 2 ? List.of(1) : IntStream.range(0, classes).boxed().toList();
  }

  private BinnedRanking ranking(int histogram) {
    double[] all = cells.stream().mapToDouble(Double::doubleValue).toArray();
    return BinnedRanking.of(all, histogram, sigma);
  }

  /** The area under the ROC curve of a class that has a histogram. */
  public Estimate auc(int histogram) {
    return ranking(histogram).auc();
  }

  /** The noisy share of units that are of its class. */
  public Estimate share(int histogram) {
    double noise = BINS * sigma * sigma;
    return NoisyRatio.of(
        ranking(histogram).rows(), (double) units.count(), p -> noise + units.variance(p));
  }

  /** Of its class: how often what the model said came true. */
  public List<Bin> bins(int histogram) {
    BinnedRanking ranking = ranking(histogram);
    return IntStream.range(0, BINS)
        .mapToObj(
            bin -> {
              double all = ranking.of(bin) + ranking.others(bin);
              return new Bin(
                  LogOdds.low(bin),
                  LogOdds.high(bin),
                  all,
                  NoisyRatio.of(
                      ranking.of(bin),
                      all,
                      p ->
                          sigma * sigma * ((1 - p) * (1 - p) + p * p)
                              + Math.max(0, all) * p * (1 - p)));
            })
        .toList();
  }

  /**
   * The share of rows of two classes that are right, which follows since 0 ends a bin.
   *
   * @throws IllegalStateException of more classes
   */
  public double right() {
    if (classes != 2) {
      throw new IllegalStateException("bins of " + classes + " classes tell of no accuracy");
    }
    BinnedRanking ranking = ranking(0);
    double right = 0;
    for (int bin = 0; bin < BINS; bin++) {
      right += LogOdds.low(bin) >= 0.5 ? ranking.of(bin) : ranking.others(bin);
    }
    return right;
  }

  /**
   * The mean of −ln p(class of the row), of a row at most 10 bits. Its ends allow for every
   * probability within a row's bin.
   */
  public Estimate logLoss() {
    double most = Counts.MOST_LOSS;
    return mean(
        p -> Math.min(most, -Math.log(p)),
        p -> classes == 2 ? Math.min(most, -Math.log(1 - p)) : 0,
        most);
  }

  /** That of giving every row the noisy shares of the classes. */
  public double logLossBaseline() {
    double sum = 0;
    for (double share : shares()) {
      sum -= share > 0 ? share * Math.log(share) : 0;
    }
    return sum;
  }

  /** The mean over rows of (p − 1 or 0)² of the second of two classes, or summed over all. */
  public Estimate brier() {
    return mean(p -> (1 - p) * (1 - p), p -> p * p, classes == 2 ? 1 : 2);
  }

  /** That of giving every row the noisy shares of the classes. */
  public double brierBaseline() {
    double[] shares = shares();
    return classes == 2
        ? shares[0] * shares[1]
        : Arrays.stream(shares).map(share -> share * (1 - share)).sum();
  }

  private double[] shares() {
    double[] shares = new double[classes];
    if (classes == 2) {
      shares[1] = share(0).value();
      shares[0] = 1 - shares[1];
    } else {
      Arrays.setAll(shares, c -> share(c).value());
    }
    return shares;
  }

  /**
   * The mean over rows of a cost.
   *
   * @param of by the probability of the class that a histogram is of, for rows of that class;
   *     falling
   * @param others for other rows; rising
   * @param most that a row costs, in all histograms together
   */
  private Estimate mean(DoubleUnaryOperator of, DoubleUnaryOperator others, double most) {
    double value = 0;
    double low = 0;
    double high = 0;
    double variance = 0;
    for (int histogram = 0; histogram < histograms().size(); histogram++) {
      BinnedRanking ranking = ranking(histogram);
      for (int bin = 0; bin < BINS; bin++) {
        double from = LogOdds.low(bin);
        double to = LogOdds.high(bin);
        double middle = LogOdds.middle(bin);
        double inOf = ranking.of(bin);
        double inOthers = ranking.others(bin);
        value += inOf * of.applyAsDouble(middle) + inOthers * others.applyAsDouble(middle);
        low += inOf * of.applyAsDouble(to) + inOthers * others.applyAsDouble(from);
        high += inOf * of.applyAsDouble(from) + inOthers * others.applyAsDouble(to);
        variance += spread(inOf, of.applyAsDouble(from), most);
        variance += spread(inOthers, others.applyAsDouble(to), most);
      }
    }
    double off = Estimate.QUANTILE * Math.sqrt(variance) / units.count();
    double least = Math.max(0, low / units.count() - off);
    double greatest = Math.max(least, high / units.count() + off);
    return new Estimate(
        Math.max(least, Math.min(greatest, value / units.count())), least, greatest);
  }

  /**
   * Of a count times a cost: the noise's, and that of the rows, which is at most the mean square of
   * what a row costs, and so at most {@code most} times the mean.
   */
  private double spread(double count, double cost, double most) {
    return sigma * sigma * cost * cost + Math.max(0, count) * cost * most;
  }

  /**
   * The mean precision over recalls, straight between those that the ends of bins reach, of the
   * class of a histogram; anything where noise hides the class. Its interval has that of 95% of
   * {@value #DRAWS} draws of noise and rows about the noisy counts, and the same turned round the
   * value; the draws are the same for the same counts.
   */
  public Estimate averagePrecision(int histogram) {
    BinnedRanking ranking = ranking(histogram);
    double[] of = IntStream.range(0, BINS).mapToDouble(ranking::of).toArray();
    double[] others = IntStream.range(0, BINS).mapToDouble(ranking::others).toArray();
    double value = averagePrecision(of, others);
    if (ranking.rows() <= 2 * sigma * Math.sqrt(BINS)) {
      return new Estimate(value, 0, 1);
    }
    RandomGenerator random = new SplittableRandom(1);
    double[] drawn = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      drawn[i] = averagePrecision(moved(of, random), moved(others, random));
    }
    return Estimate.ofDraws(value, drawn);
  }

  private double[] moved(double[] counts, RandomGenerator random) {
    return Arrays.stream(counts)
        .map(n -> n + Math.sqrt(sigma * sigma + Math.max(0, n)) * random.nextGaussian())
        .toArray();
  }

  private static double averagePrecision(double[] of, double[] others) {
    double all = Arrays.stream(of).sum();
    if (all <= 0) {
      return 0;
    }
    double precisions = 0;
    double reached = 0;
    double wrong = 0;
    double before = -1;
    for (int bin = BINS - 1; bin >= 0; bin--) {
      reached += of[bin];
      wrong += others[bin];
      double said = Math.max(0, reached) + Math.max(0, wrong);
      double precision = said > 0 ? Math.max(0, reached) / said : 0;
      precisions += of[bin] * (precision + (before < 0 ? precision : before)) / 2;
      before = precision;
    }
    return Math.max(0, Math.min(1, precisions / all));
  }
}
