package io.mutune.trainer.score;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.LinearModel;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of rows by what a model says of them: a vector for each row, and how far one unit
 * moves the sum of all. Two kinds:
 *
 * <ul>
 *   <li>A <i>histogram</i>, or several beside each other: a row is 1 in one cell of each. The cells
 *       of a unit's rows have their mean, so those of one histogram are 0 or more and add up to at
 *       most 1, and their norm is at most 1. Of b histograms it is at most √b; two units' differ by
 *       at most √(2b), as no cell is below 0.
 *   <li><i>Measures</i>, each from 0 to 1, of which a unit has the mean of its rows: the norm of d
 *       of them, and of the difference of two units', is at most √d.
 * </ul>
 *
 * A row that has no label, or one that is no class, is in no cell and measures nothing.
 */
public final class Counts implements Serializable {
  private static final long serialVersionUID = 1;

  /** A row's measure of 1; sums of whole multiples of its inverse are exact. */
  static final int UNIT_BITS = 20;

  static final int UNIT = 1 << UNIT_BITS;

  /** More classes have more cells than anybody can judge by. */
  public static final int MOST_CLASSES = ClassMetrics.MOST_CLASSES;

  /** A loss beyond that of a probability of 2^−10 is cut to it. */
  static final double MOST_LOSS = 10 * Math.log(2);

  /** How a row is counted. */
  interface Row extends Serializable {
    /**
     * Says the cells of a row.
     *
     * @param scores finite
     * @param cells one for each entry, overwritten
     * @param values likewise, {@link #UNIT} in the beginning
     */
    void count(double[] scores, int label, int[] cells, int[] values);
  }

  private final int cells;
  private final int entries;
  private final boolean histogram;
  private final int classes;
  private final Row row;
  private final @Nullable RowGroups groups;

  /**
   * @param entries that a row has at most: one in each histogram, or all measures
   * @param classes labels below this are counted; 0 for any label
   */
  private Counts(int cells, int entries, boolean histogram, int classes, Row row) {
    this(cells, entries, histogram, classes, row, null);
  }

  private Counts(
      int cells, int entries, boolean histogram, int classes, Row row, @Nullable RowGroups groups) {
    this.cells = cells;
    this.entries = entries;
    this.histogram = histogram;
    this.classes = classes;
    this.row = row;
    this.groups = groups;
  }

  /**
   * The same of each group, {@code [groups, cells]}: a row is in its own group's cells alone, so a
   * unit's still add up to what they did, and the sensitivity of a histogram stays. That of a
   * measure does not where a row may be replaced by one of another group.
   *
   * @param by rows that are counted are then read before any map, which it has
   */
  public Counts inGroups(RowGroups by) {
    if (!histogram) {
      throw new IllegalArgumentException("only histograms are told by group");
    }
    int all = Math.multiplyExact(by.count(), cells);
    return new Counts(all, entries, histogram, classes, row, by);
  }

  Optional<RowGroups> groups() {
    return Optional.ofNullable(groups);
  }

  private static Counts histogram(int cells, int classes, Row row) {
    return new Counts(cells, 1, true, classes, row);
  }

  private static Counts measure(int classes, Row row) {
    return new Counts(1, 1, false, classes, row);
  }

  /** Right ones: one number. */
  static Counts right() {
    return measure(
        0,
        (scores, label, cells, values) ->
            values[0] = LinearModel.classOf(scores) == label ? UNIT : 0);
  }

  /** Of real targets 1 − |prediction − target| over the width of the range: one number. */
  static Counts closeness() {
    return measure(
        0, (scores, label, cells, values) -> values[0] = units(1 - error(scores, label) / 2));
  }

  /** Of real targets 1 less the squared error over the squared width of the range: one number. */
  static Counts squaredCloseness() {
    return measure(
        0,
        (scores, label, cells, values) -> {
          double error = error(scores, label);
          values[0] = units(1 - error * error / 4);
        });
  }

  /**
   * Of real targets from −1 to 1, three numbers: the squared error over 4, (1 + target) / 2 and the
   * target's square.
   */
  public static Counts squares() {
    return new Counts(
        3,
        3,
        false,
        0,
        (scores, label, cells, values) -> {
          double target = TargetRange.value(label);
          double error = error(scores, label);
          for (int i = 0; i < 3; i++) {
            cells[i] = i;
          }
          values[0] = units(error * error / 4);
          values[1] = units((1 + target) / 2);
          values[2] = units(target * target);
        });
  }

  /** 1 less the loss −ln p(class) over {@link #MOST_LOSS}, 0 where it is more: one number. */
  static Counts boundedLoss(Loss loss, int classes) {
    Loss unweighted = loss.unweighted();
    return measure(
        classes,
        (scores, label, cells, values) ->
            values[0] = units(1 - unweighted.value(scores, label) / MOST_LOSS));
  }

  /** {@code [classes, 2]}: right ones of each class, then wrong ones. */
  static Counts byClass(int classes) {
    return histogram(
        2 * classes,
        classes,
        (scores, label, cells, values) ->
            cells[0] = 2 * label + (LinearModel.classOf(scores) == label ? 0 : 1));
  }

  /** {@code [classes, classes]}: rows by their class, then by what the model says. */
  public static Counts confusion(int classes) {
    return histogram(
        classes * classes,
        classes,
        (scores, label, cells, values) -> cells[0] = classes * label + LinearModel.classOf(scores));
  }

  /** Rows of one class that the model calls so and not, then others that it does and does not. */
  static Counts ofClass(int one, int classes) {
    return histogram(
        4,
        classes,
        (scores, label, cells, values) ->
            cells[0] = (label == one ? 0 : 2) + (LinearModel.classOf(scores) == one ? 0 : 1));
  }

  /**
   * Rows by the {@link LogOdds#BINS} bins of how sure the model is of a class, {@code [2, bins]}
   * others first: of two classes those of the second one; of more a histogram for each class
   * against the rest, {@code [classes, 2, bins]}.
   */
  public static Counts bins(Loss loss, int classes) {
    Link link = loss.link();
    int histograms = histograms(classes);
    return new Counts(
        histograms * 2 * LogOdds.BINS,
        histograms,
        true,
        classes,
        (scores, label, cells, values) -> {
          for (int i = 0; i < histograms; i++) {
            int one = histograms == 1 ? 1 : i;
            int of = label == one ? 1 : 0;
            cells[i] = (2 * i + of) * LogOdds.BINS + LogOdds.bin(LogOdds.of(scores, one, link));
          }
        });
  }

  /** How many histograms {@link #bins} has. */
  static int histograms(int classes) {
    return classes == 2 ? 1 : classes;
  }

  private static double error(double[] scores, int label) {
    return Math.abs(LinearModel.target(scores) - TargetRange.value(label));
  }

  /** Rounded down; what is no number counts as nothing. */
  private static int units(double measure) {
    return (int) Math.floor(UNIT * Math.max(0, Math.min(1, measure)));
  }

  /**
   * Exactly, on public rows: costs nothing.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public double[] of(LinearModel model, PublicRows rows) throws UnsuitableRowsException {
    return CountSum.of(this, model, rows.blocks());
  }

  /** How many numbers are released. */
  public int cells() {
    return cells;
  }

  int entries() {
    return entries;
  }

  boolean counts(int label) {
    return classes == 0 ? label != RowBlocks.NO_LABEL : label >= 0 && label < classes;
  }

  void count(double[] scores, int label, int[] into, int[] values) {
    row.count(scores, label, into, values);
  }

  /** How far the sums of neighbours are apart at most, in L2; rounded up. */
  public double sensitivity(Adjacency adjacency) {
    return switch (adjacency) {
      case ADD_REMOVE -> root(entries);
      case REPLACE_ONE -> root(histogram ? 2 * entries : entries);
    };
  }

  /** √n, or the least double above it. */
  private static double root(int n) {
    double root = Math.sqrt(n);
    return root == Math.rint(root) ? root : Math.nextUp(root);
  }
}
