package io.mutune.trainer.score;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * By what models are compared; in [0, 1], but for noise, and greater is better.
 *
 * @param of the class that it is about, by index; {@link #ALL} where it is about no single one
 */
public record Metric(Kind kind, int of) {
  /** In place of a class. */
  public static final int ALL = -1;

  /**
   * The share of rows that are right; of real targets 1 − the mean absolute error over the width of
   * their range.
   */
  public static final Metric ACCURACY = of(Kind.ACCURACY);

  /** The mean over the classes of the share of a class's rows that are right. */
  public static final Metric BALANCED_ACCURACY = of(Kind.BALANCED_ACCURACY);

  /** What is compared. */
  public enum Kind {
    ACCURACY,
    BALANCED_ACCURACY,
    /** The mean over the classes of the harmonic mean of precision and recall. */
    MACRO_F1,
    /** Of the rows of one class the share that is right. */
    RECALL,
    /** The harmonic mean of precision and recall of one class. */
    F1,
    /** The area under the ROC curve, of more than two classes the mean of each against the rest. */
    AUC,
    /** 1 less the mean log loss, a row's of 10 bits at most, over 10 bits. */
    LOG_LOSS,
    /** Of real targets 1 less the mean squared error over the squared width of the range. */
    SQUARED_ERROR;

    /** In sweeps and documents. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is about one class, which has to be named. */
    public boolean isOfOneClass() {
      return this == RECALL || this == F1;
    }

    /** Whether it is a mean over rows, so that chance moves it as it moves a share of all rows. */
    public boolean isMean() {
      return this == ACCURACY || this == LOG_LOSS || this == SQUARED_ERROR;
    }
  }

  public Metric {
    if (kind.isOfOneClass() != of >= 0) {
      throw new IllegalArgumentException(kind + " of class " + of);
    }
  }

  /** One that is about no single class. */
  public static Metric of(Kind kind) {
    return new Metric(kind, ALL);
  }

  /** In documents. */
  public String key() {
    return kind.key();
  }

  /** Those of all or, of the others, those that are about one class; the first is the usual one. */
  public static List<String> keys(boolean ofOneClass) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.isOfOneClass() == ofOneClass)
        .map(Kind::key)
        .toList();
  }

  /** The kind of that key, which there is. */
  public static Kind kindOf(String key) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no metric " + key));
  }

  /**
   * What is counted of rows for it.
   *
   * @param classes {@link Labelling#REAL} for real targets
   */
  public Counts counts(Loss loss, int classes) {
    return switch (kind) {
      case ACCURACY -> classes == Labelling.REAL ? Counts.closeness() : Counts.right();
      case BALANCED_ACCURACY -> Counts.byClass(classes);
      case MACRO_F1 -> Counts.confusion(classes);
      case RECALL, F1 -> Counts.ofClass(of, classes);
      case AUC -> Counts.bins(loss, classes);
      case LOG_LOSS -> Counts.boundedLoss(loss, classes);
      case SQUARED_ERROR -> Counts.squaredCloseness();
    };
  }

  /** What a score of this cost is charged as; the noise is the least that keeps it. */
  public Gaussian mechanism(Mu mu, Adjacency adjacency, Loss loss, int classes) {
    return NoisyCounts.mechanism(counts(loss, classes), mu, adjacency);
  }

  /**
   * On private rows.
   *
   * @param sigma σ, in units of privacy
   * @param publicRows the public number of units
   */
  public NoisyScore noisy(
      NoiseMultiplier sigma, Adjacency adjacency, long publicRows, Loss loss, int classes) {
    return new NoisyScore(
        this, new NoisyCounts(counts(loss, classes), sigma, adjacency), publicRows);
  }

  /**
   * Exactly, on public rows: costs nothing. People's rows are a mean for each person, but under
   * {@link Kind#AUC}, which ranks rows.
   *
   * @param loss that the model was trained by
   * @throws IllegalArgumentException if there are no rows
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public double of(LinearModel model, Loss loss, PublicRows rows) throws UnsuitableRowsException {
    RowBlocks blocks = rows.blocks();
    long units = units(rows);
    if (kind == Kind.AUC && TestMetrics.of(model, loss, rows) instanceof ClassMetrics metrics) {
      return metrics.macroRanking().map(ranking -> ranking.auc().value()).orElse(0.5);
    }
    int classes = blocks.realTargets() ? Labelling.REAL : ClassMetrics.classes(model);
    return of(CountSum.of(counts(loss, classes), model, blocks), 0, units);
  }

  /** How many people, or rows, there are; at least one. */
  private static long units(PublicRows rows) {
    long count =
        rows.blocks().units().map(units -> (long) units.count()).orElseGet(rows.blocks()::rows);
    if (count == 0) {
      throw new IllegalArgumentException("a score needs at least one public row");
    }
    return count;
  }

  /**
   * What follows from counts. A class that noise of deviation σ hides stands near one half,
   * whatever the model, and one of many rows where it stands without noise.
   *
   * @param cells of {@link #counts}, noisy or exact
   * @param sigma 0 of exact ones
   * @param rows the number of units
   */
  double of(double[] cells, double sigma, long rows) {
    return switch (kind) {
      case ACCURACY, LOG_LOSS, SQUARED_ERROR -> cells[0] / rows;
      case BALANCED_ACCURACY -> balancedAccuracy(cells, sigma);
      case MACRO_F1 -> macroF1(cells, sigma);
      case RECALL -> share(cells[0], Math.max(0, cells[0]) + Math.max(0, cells[1]), sigma);
      case F1 -> share(2 * cells[0], 2 * cells[0] + cells[1] + cells[2], sigma);
      case AUC -> BinnedRanking.meanAuc(cells, sigma);
    };
  }

  /** The mean over the classes that have rows. */
  private static double balancedAccuracy(double[] cells, double sigma) {
    double sum = 0;
    int classes = 0;
    for (int cell = 0; cell < cells.length; cell += 2) {
      double right = Math.max(0, cells[cell]);
      double all = right + Math.max(0, cells[cell + 1]);
      if (all + sigma > 0) {
        sum += share(right, all, sigma);
        classes++;
      }
    }
    return classes == 0 ? 0 : sum / classes;
  }

  private static double macroF1(double[] cells, double sigma) {
    int classes = (int) Math.round(Math.sqrt(cells.length));
    double sum = 0;
    int counted = 0;
    for (int c = 0; c < classes; c++) {
      double rows = 0;
      double said = 0;
      for (int other = 0; other < classes; other++) {
        rows += cells[classes * c + other];
        said += cells[classes * other + c];
      }
      if (rows > 0 || sigma > 0) {
        sum += share(2 * cells[classes * c + c], rows + said, sigma);
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted;
  }

  /**
   * A share of counts in [0, 1], with {@code added} more of which half are in it; 0 of none.
   *
   * @param part at most {@code whole}, but for noise
   */
  private static double share(double part, double whole, double added) {
    double all = Math.max(0, whole) + added;
    return all > 0 ? Math.max(0, Math.min(1, (Math.max(0, part) + added / 2) / all)) : 0;
  }
}
